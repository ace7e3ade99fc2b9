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
