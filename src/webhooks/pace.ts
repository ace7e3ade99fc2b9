import { setImmediate } from 'node:timers/promises';

/** Longer than this nobody else waits for work that is done in one go. */
const MOST_MS = 10;

/** Lets long work be interrupted: `if (pace.isDue) await pace.rest()` between its steps, each of them short. */
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
