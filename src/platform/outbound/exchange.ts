import type { Dispatcher } from 'undici';
import { KIB } from '../../kernel/domain/bytes.js';
import { errorCode } from '../../kernel/errors/service-error.js';
import { GatheredBytes } from '../../kernel/input/gathered-bytes.js';
import type { NOT_HTTPS, NOT_PERMITTED } from './address-policy.js';

export interface Failure {
  readonly errorClass: UnreachableClass;
  readonly code: string;
}

const CLASSES: Readonly<Record<string, UnreachableClass>> = {
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EHOSTDOWN: 'connect',
  EADDRNOTAVAIL: 'connect',
  EACCES: 'connect',
  EPERM: 'connect',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
};

const TLS =
  /^(ERR_TLS|ERR_SSL|EPROTO$|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|INVALID_CA|HOSTNAME_MISMATCH|INVALID_PURPOSE)/;

export function failureOf(error: unknown): Failure {
  const code = codeOf(error);
  const known = CLASSES[code];
  if (known !== undefined) return { errorClass: known, code };
  return { errorClass: TLS.test(code) ? 'tls' : 'protocol', code };
}

/** With several addresses, the first failure stands for all. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return codeOf(error.errors[0]);
  return errorCode(error) ?? ('cause' in error ? codeOf(error.cause) : '');
}

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Asked once connected, before sending. Absent: yes. */
  readonly isWanted?: () => boolean;
}

/** `timeout` is the deadline of the whole exchange. */
export type UnreachableClass = 'dns' | 'connect' | 'tls' | 'timeout' | 'reset' | 'protocol';

/** By lower-case name; a repeated header is a list. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

export type Refused = typeof NOT_PERMITTED | typeof NOT_HTTPS;

export type Exchange =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: AnswerHeaders;
      /** At most 64 KiB. */
      readonly body: Buffer;
      readonly whole: boolean;
      readonly durationMs: number;
    }
  /** Not sent: the address, or plain http, is not permitted (W-6). */
  | { readonly kind: 'refused'; readonly reason: Refused; readonly durationMs: number }
  | { readonly kind: 'withdrawn'; readonly durationMs: number }
  | {
      readonly kind: 'unreachable';
      readonly errorClass: UnreachableClass;
      /** Such as `ECONNREFUSED`; empty if there is none. */
      readonly code: string;
      readonly durationMs: number;
    };

export const MOST_BODY_BYTES = 64 * KIB;

export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** At most 64 KiB. */
  readonly body: Buffer;
  readonly whole: boolean;
}

/** Nothing was sent, because it was no longer wanted. */
export class Withdrawn extends Error {}

/** The status stands even if the body is too long, trickles or breaks off. */
export class AnswerReader implements Dispatcher.DispatchHandler {
  /** Rejects with the reason why there was no answer. */
  readonly answer: Promise<Answer>;
  private settle!: { readonly resolve: (answer: Answer) => void; readonly reject: (reason: Error) => void };
  private controller: Dispatcher.DispatchController | undefined;
  private head: Pick<Answer, 'status' | 'headers'> | undefined;
  private readonly body = new GatheredBytes();
  private brokenOff: Error | undefined;

  /** `isWanted`: see `OutboundRequest`. An unwanted request fails with `Withdrawn`. */
  constructor(private readonly isWanted: () => boolean) {
    this.answer = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
  }

  breakOff(reason: Error): void {
    this.brokenOff ??= reason;
    this.end(false, reason);
    this.controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (!this.isWanted()) this.breakOff(new Withdrawn());
    else if (this.brokenOff !== undefined) controller.abort(this.brokenOff);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    // Below 200 it only announces an answer.
    if (status >= 200) this.head = { status, headers };
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.body.add(chunk);
    if (this.body.length > MOST_BODY_BYTES) this.breakOff(new Error('the body is too long'));
  }

  onResponseEnd(): void {
    this.end(true);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.end(false, error);
  }

  private end(whole: boolean, reason?: Error): void {
    if (this.head === undefined) this.settle.reject(reason ?? new Error('the answer has no head'));
    else this.settle.resolve({ ...this.head, body: this.body.bytes.subarray(0, MOST_BODY_BYTES), whole });
  }
}
