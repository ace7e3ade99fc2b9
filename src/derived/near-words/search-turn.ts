/** The longest turn of a search, in milliseconds: then other work of the process gets its turn. */
const LONGEST_MS = 4;

/**
 * Everyone waiting for a turn, across all searches: one at a time gets it, so that turns never follow one another
 * directly.
 */
const waiting: (() => void)[] = [];

function giveTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}

/**
 * Keeps work for one search from blocking the process: to be asked between pieces of about a millisecond. Unlike
 * with a `TimeSlice`, all searches share one turn at a time, however many there are.
 */
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
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(giveTurn);
    });
    this.signal?.throwIfAborted();
    this.beganMs = performance.now();
  }
}
