import { OneByOne } from '../../../platform/queue/time-slice.js';

/** The longest turn of a search, in milliseconds: then other work of the process gets its turn. */
const LONGEST_MS = 4;

/** Turns of all searches. They are shorter than a `TimeSlice`, and do not wait for one. */
const turns = new OneByOne();

/** Keeps work for one search from blocking the process: to be asked between pieces of about a millisecond. */
export class SearchTurn {
  private beganMs = performance.now();

  /**
   * Work is abandoned when `signal` aborts: its deadline is over, or nobody waits any more. `client`: for whom it is
   * done, where clients take turns.
   */
  constructor(
    readonly signal?: AbortSignal,
    readonly client = '',
  ) {}

  /** Whether this turn has lasted long enough. */
  get isOver(): boolean {
    return performance.now() - this.beganMs >= LONGEST_MS;
  }

  /** Waits for the next turn if this one is over. Fails with the signal's reason when it aborts. */
  async nextIfOver(): Promise<void> {
    if (this.isOver) await this.next();
  }

  /** Waits for the next turn in any case, before a longer piece. Fails with the signal's reason when it aborts. */
  async next(): Promise<void> {
    await turns.next();
    this.signal?.throwIfAborted();
    this.beganMs = performance.now();
  }
}
