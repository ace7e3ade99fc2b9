import { errorCode } from '../../kernel/errors/service-error.js';
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
