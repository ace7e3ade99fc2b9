/** Milliseconds for which work may block the process. */
const LONGEST_MS = 10;

/** Gives one turn at a time: the event loop sees new arrivals after each. */
export class OneByOne {
  private readonly waiting: (() => void)[] = [];

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

/** Shared by all work of the process; otherwise each would run in every event loop round. */
const slices = new OneByOne();

/** Makes long work interruptible: `if (slice.isOver) await slice.next()` between its short steps. */
export class TimeSlice {
  private beganMs = performance.now();

  constructor(private readonly turns: Pick<OneByOne, 'next'> = slices) {}

  get isOver(): boolean {
    return performance.now() - this.beganMs > LONGEST_MS;
  }

  async next(): Promise<void> {
    await this.turns.next();
    this.beganMs = performance.now();
  }
}

export type Steps<T> = Generator<void, T, void>;

/** Yields as `slice` (or a `SearchTurn`) grants turns. */
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

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
