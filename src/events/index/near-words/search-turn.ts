import { OneByOne } from '../../../platform/queue/time-slice.js';

/** The longest turn of a search, in milliseconds. */
const LONGEST_MS = 4;

/** Shorter than a `TimeSlice`, and independent of those. */
const turns = new OneByOne();

/** Bounds blocking; checked about every millisecond. */
export class SearchTurn {
  private beganMs = performance.now();

  /** `signal` aborts the work. */
  constructor(private readonly signal?: AbortSignal) {}

  get isOver(): boolean {
    return performance.now() - this.beganMs >= LONGEST_MS;
  }

  /** Fails with the signal's reason when it aborts. */
  async nextIfOver(): Promise<void> {
    if (this.isOver) await this.next();
  }

  /** Before a longer piece. Fails with the signal's reason. */
  async next(): Promise<void> {
    await turns.next();
    this.signal?.throwIfAborted();
    this.beganMs = performance.now();
  }
}
