import { Readable } from 'node:stream';
import { KIB } from '../../../kernel/domain/bytes.js';
import { asError } from '../../../kernel/errors/service-error.js';
import { type ReadingPace, tooSlowReader } from './reading-pace.js';

/** Small parts, so that the client's pace can be measured. */
const SLICE_BYTES = 64 * KIB;

/** Checks in each interval of the measurement. */
const LOOKS = 12;

interface Room {
  readonly mostHeld: number;
  readonly done: () => void;
}

/**
 * Holds data until its client takes them. A client slower than `pace` is cut off: the body is destroyed with the
 * reason.
 */
export class HeldBody extends Readable {
  private readonly slices: Buffer[] = [];
  private bytes = 0;
  private isWanted = false;
  private isComplete = false;
  private waiting: Room | undefined;
  /** In the current interval. */
  private waitedMs = 0;
  private taken = 0;
  private readonly looks: NodeJS.Timeout;

  constructor(private readonly pace: ReadingPace) {
    super({ highWaterMark: SLICE_BYTES });
    const everyMs = pace.overMs / LOOKS;
    this.looks = setInterval(() => {
      this.look(everyMs);
    }, everyMs).unref();
  }

  get held(): number {
    return this.bytes;
  }

  get reason(): Error {
    return this.errored ?? new BodyClosed();
  }

  put(text: string | Buffer): void {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
      this.slices.push(bytes.subarray(from, from + SLICE_BYTES));
    }
    this.bytes += bytes.length;
    if (this.isWanted) this._read();
  }

  complete(): void {
    this.isComplete = true;
    if (this.isWanted) this._read();
  }

  /** Fails with the signal's reason, or when the body is destroyed. */
  room(mostHeld: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void): void => {
        this.waiting = undefined;
        signal.removeEventListener('abort', abandon);
        this.off('close', closed);
        outcome();
      };
      const abandon = (): void => {
        settle(() => {
          reject(asError(signal.reason));
        });
      };
      const closed = (): void => {
        settle(() => {
          reject(this.reason);
        });
      };
      if (this.destroyed) {
        reject(this.reason);
        return;
      }
      this.waiting = {
        mostHeld,
        done: () => {
          settle(resolve);
        },
      };
      signal.addEventListener('abort', abandon, { once: true });
      this.once('close', closed);
      if (signal.aborted) abandon();
      else this.makeRoom();
    });
  }

  override _read(): void {
    const slice = this.slices.shift();
    this.isWanted = slice === undefined && !this.isComplete;
    if (slice === undefined) {
      if (this.isComplete) this.push(null);
      return;
    }
    this.bytes -= slice.length;
    this.taken += slice.length;
    this.push(slice);
    this.makeRoom();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearInterval(this.looks);
    this.slices.length = 0;
    done(error);
  }

  private makeRoom(): void {
    if (this.waiting !== undefined && this.bytes <= this.waiting.mostHeld) this.waiting.done();
  }

  private look(ms: number): void {
    if (this.bytes === 0) return;
    this.waitedMs += ms;
    if (this.waitedMs < this.pace.overMs) return;
    const least = (this.pace.leastBytesPerSecond * this.pace.overMs) / 1_000;
    if (this.taken < least) {
      this.destroy(tooSlowReader(`${this.taken} bytes within ${this.pace.overMs / 1_000} s`));
    }
    this.waitedMs = 0;
    this.taken = 0;
  }
}

class BodyClosed extends Error {
  readonly code = 'ERR_STREAM_DESTROYED';

  constructor() {
    super('the client takes no more of the body');
    this.name = 'BodyClosed';
  }
}
