import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { invalidInput } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { GatheredBytes } from '../../kernel/input/gathered-bytes.js';
import { SENDING_PACE } from '../../platform/dto/accepts.js';
import type { PacedBody } from '../../platform/queue/body-places.js';
import { ClientGone, ERROR_MESSAGES } from '../errors/error-answer.js';

/** How long a body that is read whole may take. */
const BODY_SECONDS = 60;

/** 413, with the permitted number of bytes. */
export const tooLarge = (limitBytes: number): ServiceError =>
  new ServiceError('PAYLOAD_TOO_LARGE', ERROR_MESSAGES.PAYLOAD_TOO_LARGE, {
    issues: [{ message: `body: must have at most ${limitBytes} bytes` }],
  });

const tooSlow = (seconds: number): ServiceError =>
  invalidInput(`body: must arrive within ${seconds} seconds`, { headers: { connection: 'close' } });

/** The whole body. Fails with 413 past the limit, and with `ClientGone` when it ends before it is complete. */
export async function readWhole(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  // A small body has come with its head, and nothing is to be waited for.
  if (!request.complete) {
    // It tells nobody again.
    if (request.destroyed) throw new ClientGone();
    return waitForAll(request, limitBytes);
  }
  const gathered = new GatheredBytes(mostOf(request, limitBytes));
  for (;;) {
    // From Node 26 on one piece after the other, and all of it at once before.
    const piece = request.read() as Buffer | null;
    if (piece === null) return gathered.trimmed;
    gathered.add(piece);
    if (gathered.length > limitBytes) throw tooLarge(limitBytes);
  }
}

/** How much may come: what the head announced, if it did. */
const mostOf = ({ headers }: IncomingMessage, limitBytes: number): number =>
  Math.min(limitBytes, Number(headers['content-length'] ?? Infinity));

function waitForAll(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const gathered = new GatheredBytes(mostOf(request, limitBytes));
    const settle = (outcome: () => void): void => {
      clearTimeout(deadline);
      request.off('data', take).off('end', end).off('error', gone).off('close', gone);
      outcome();
    };
    const fail = (error: Error): void => {
      settle(() => {
        request.pause();
        reject(error);
      });
    };
    const take = (chunk: Buffer): void => {
      gathered.add(chunk);
      if (gathered.length > limitBytes) fail(tooLarge(limitBytes));
    };
    const end = (): void => {
      settle(() => {
        resolve(gathered.trimmed);
      });
    };
    const gone = (): void => {
      fail(new ClientGone());
    };
    const deadline = setTimeout(() => {
      fail(tooSlow(BODY_SECONDS));
    }, BODY_SECONDS * 1_000);
    request.on('data', take).on('end', end).on('error', gone).on('close', gone);
  });
}

const { leastBytesPerSecond: LEAST_BYTES_PER_SECOND, overSeconds: OVER_SECONDS } = SENDING_PACE;
const LOOK_MS = 1_000;
/** After so many looks in a row, the pace of a body is known. */
const PACE_LOOKS = 5;

const belowLeastRate = (): ServiceError =>
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
    if (this.bytes - this.bytesBefore < LEAST_BYTES_PER_SECOND * OVER_SECONDS) this.destroy(belowLeastRate());
    this.looked = 0;
    this.bytesBefore = this.bytes;
  }
}
