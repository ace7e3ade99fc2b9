import type { Dispatcher } from 'undici';

import { KIB } from '../../kernel/domain/bytes.js';
import { GatheredBytes } from '../../kernel/input/gathered-bytes.js';
import type { AnswerHeaders } from './exchange.js';

/** Most bytes read of a body. */
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

/**
 * Reads an answer at a fraction of a stream's cost. The status stands even if the body is too long, trickles or breaks
 * off.
 */
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
