/** The longest time, in milliseconds, for which one piece of work may block the process. */
const LONGEST_MS = 10;

/** Gives turns one at a time: however many wait, the event loop sees what else has arrived after each. */
export class OneByOne {
  private readonly waiting: (() => void)[] = [];

  /** Resolves when it is one's turn. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.waiting.push(resolve) === 1) setImmediate(this.give);
    });
  }

  private readonly give = (): void => {
    this.waiting.shift()?.();
    if (this.waiting.length > 0) setImmediate(this.give);
  };
}

/** Slices of all work of the process: otherwise a round of the event loop would have one of each. */
const slices = new OneByOne();

/** Makes long work interruptible: `if (slice.isOver) await slice.next()` between its short steps. */
export class TimeSlice {
  private beganMs = performance.now();

  constructor(private readonly turns: Pick<OneByOne, 'next'> = slices) {}

  /** Whether others should have their turn now. */
  get isOver(): boolean {
    return performance.now() - this.beganMs > LONGEST_MS;
  }

  /** Gives others their turn; the next slice begins after it. */
  async next(): Promise<void> {
    await this.turns.next();
    this.beganMs = performance.now();
  }
}

/** Work in short steps, between which others may have their turns. */
export type Steps<T> = Generator<void, T, void>;

/** Does the work with turns for others in between, as `slice` (or a `SearchTurn` in its place) grants them. */
export async function stepwise<T>(
  steps: Steps<T>,
  slice: Pick<TimeSlice, 'isOver' | 'next'> = new TimeSlice(),
): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (slice.isOver) await slice.next();
  }
}

/** Does the work at once, where nobody else waits. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
