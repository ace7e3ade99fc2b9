/** How often other work of the process gets its turn. */
const LONGEST_TURN_MS = 4;

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
 * Keeps work for one search from blocking the process: to be asked between pieces of about a millisecond. All
 * searches share one turn at a time, however many there are.
 */
export class Pace {
  private began = performance.now();

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
    return performance.now() - this.began >= LONGEST_TURN_MS;
  }

  /** Waits for the next turn if this one is over. Fails with the signal's reason when it aborts. */
  async turn(): Promise<void> {
    if (!this.isOver) return;
    await this.next();
  }

  /** Waits for the next turn in any case, before a longer piece. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(giveTurn);
    });
    this.signal?.throwIfAborted();
    this.began = performance.now();
  }
}

/** The return value of a generator, whose steps are about a millisecond each. */
export async function pacedSteps<T>(steps: Generator<void, T>, pace: Pace): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (pace.isOver) await pace.turn();
  }
}
