import { setImmediate } from 'node:timers/promises';

/** The longest time for which one piece of work may block the process. */
const MOST_MS = 10;

/** Makes long work interruptible: `if (pace.isDue) await pace.rest()` between its short steps. */
export class Pace {
  private sinceMs = performance.now();

  /** Whether others should have their turn now. */
  get isDue(): boolean {
    return performance.now() - this.sinceMs > MOST_MS;
  }

  async rest(): Promise<void> {
    await setImmediate();
    this.sinceMs = performance.now();
  }
}

/** Work in short steps, which others may have their turns between. */
export type Steps<T> = Generator<void, T, void>;

/** Does the work with turns for others in between. */
export async function paced<T>(steps: Steps<T>, pace = new Pace()): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (pace.isDue) await pace.rest();
  }
}

/** Does the work at once, where nobody else waits. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
