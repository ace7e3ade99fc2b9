import type { IncomingMessage } from 'node:http';
import type { TransformCallback } from 'node:stream';
import { Transform } from 'node:stream';

import { SENDING_PACE } from '../../platform/openapi/accepts.js';
import type { PacedBody } from '../../platform/queue/body-places.js';
import { invalidInput } from '../../kernel/errors/faults.js';
import type { ServiceError } from '../../kernel/errors/service-error.js';
import { ClientGone } from '../errors/error-answer.js';
import { tooLarge } from './read-body.js';

const { leastBytesPerSecond: LEAST_BYTES_PER_SECOND, overSeconds: OVER_SECONDS } = SENDING_PACE;
const LOOK_MS = 1_000;
/** After so many looks in a row, the pace of a body is known. */
const PACE_LOOKS = 5;

const tooSlow = (): ServiceError =>
  invalidInput(`body: must come at ${LEAST_BYTES_PER_SECOND} bytes a second or more, over ${OVER_SECONDS} s`, {
    headers: { connection: 'close' },
    refusal: 'slow-upload',
  });

/**
 * The body as a stream that fails as `readWhole` does, and when it arrives too slowly. A reader that falls behind slows
 * the client down, and has all the time it needs.
 */
export class BodyStream extends Transform implements PacedBody {
  private bytes = 0;
  /** Bytes that had arrived at each of the latest waits in a row; empty at the beginning. */
  private looks: number[] = [0];
  /** Looks at which the body was waited for, and what had come, since the pace was last judged. */
  private looked = 0;
  private bytesBefore = 0;

  constructor(
    request: IncomingMessage,
    private readonly limitBytes: number,
  ) {
    super();
    const look = setInterval(() => {
      this.look();
    }, LOOK_MS).unref();
    const gone = (): void => {
      if (!request.readableEnded) this.destroy(new ClientGone());
    };
    // It may fail before anybody reads; the reader then gets the error.
    this.on('error', () => undefined);
    this.once('close', () => {
      clearInterval(look);
      request.unpipe(this).off('error', gone).off('close', gone);
    });
    request.on('error', gone).on('close', gone).pipe(this);
    // A client that hung up while its token was verified is not reported again.
    if (request.destroyed) gone();
  }

  get pace(): number | undefined {
    const [first] = this.looks;
    if (first === undefined || this.looks.length <= PACE_LOOKS) return undefined;
    return (((this.looks.at(-1) ?? first) - first) / PACE_LOOKS / LOOK_MS) * 1_000;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    if (this.bytes > this.limitBytes) done(tooLarge(this.limitBytes));
    else done(null, chunk);
  }

  private look(): void {
    // A slow reader is not the client's fault.
    if (this.writableNeedDrain || this.readableLength > 0) {
      this.looks = [];
      return;
    }
    this.looks = [...this.looks.slice(-PACE_LOOKS), this.bytes];
    this.looked += 1;
    if (this.looked * LOOK_MS < OVER_SECONDS * 1_000) return;
    if (this.bytes - this.bytesBefore < LEAST_BYTES_PER_SECOND * OVER_SECONDS) this.destroy(tooSlow());
    this.looked = 0;
    this.bytesBefore = this.bytes;
  }
}
