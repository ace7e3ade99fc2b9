import { OneByOne } from '../../../platform/queue/time-slice.js';

/** The longest turn of a search, in milliseconds. */
const LONGEST_MS = 4;

/** Shared by all searches. Turns are shorter than a `TimeSlice`, and do not wait for one. */
const turns = new OneByOne();

/** Keeps a search from blocking the process; checked between pieces of about a millisecond. */
export class SearchTurn {
  private beganMs = performance.now();

  /** `signal` aborts the work, after its deadline or when nobody waits. `client`: takes turns with others. */
  constructor(
    readonly signal?: AbortSignal,
    readonly client = '',
  ) {}

  get isOver(): boolean {
    return performance.now() - this.beganMs >= LONGEST_MS;
  }

  /** Fails with the signal's reason when it aborts. */
  async nextIfOver(): Promise<void> {
    if (this.isOver) await this.next();
  }

  /** Waits in any case, before a longer piece. Fails with the signal's reason when it aborts. */
  async next(): Promise<void> {
    await turns.next();
    this.signal?.throwIfAborted();
    this.beganMs = performance.now();
  }
}
