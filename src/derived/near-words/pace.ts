/** Whatever else the process does gets its turn as often. */
const LONGEST_TURN_MS = 4;

/** Those who wait for a turn, of all searches: one at a time is given, so that they never come one after the other. */
const waiting: (() => void)[] = [];

function giveTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}

/**
 * Keeps work that one search needs of this process from holding it: to be asked between pieces of a millisecond or
 * so. All searches share one turn at a time, however many there are.
 */
export class Pace {
  private began = performance.now();

  /** Work is given up when `signal` aborts: its deadline is over, or nobody waits any more. */
  constructor(private readonly signal?: AbortSignal) {}

  /** Whether this turn has taken long enough. */
  get isOver(): boolean {
    return performance.now() - this.began >= LONGEST_TURN_MS;
  }

  /** Waits for the next turn, once this one is over. Fails with the signal's reason when that aborts. */
  async turn(): Promise<void> {
    if (!this.isOver) return;
    await this.next();
  }

  /** Waits for the next turn in any case: before a piece that takes longer. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(giveTurn);
    });
    this.signal?.throwIfAborted();
    this.began = performance.now();
  }
}
