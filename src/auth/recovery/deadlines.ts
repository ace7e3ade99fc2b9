/** The time for some work is up, or all of it is to end. */
export class TimeIsUp extends Error {
  constructor() {
    super('the time is up');
    this.name = 'TimeIsUp';
  }
}

/**
 * Signals that abort after some time, or all together at an end. Each has a controller and a timer of its own:
 * `AbortSignal.any` of a signal that lives long and of `AbortSignal.timeout` leaves something in the first for each
 * call, and forgets the second, which then never aborts.
 */
export class Deadlines {
  private readonly open = new Set<AbortController>();

  /** Runs `work`, whose signal aborts with `TimeIsUp` after `ms` or at the end. */
  async within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      controller.abort(new TimeIsUp());
    }, ms);
    this.open.add(controller);
    try {
      return await work(controller.signal);
    } finally {
      clearTimeout(timer);
      this.open.delete(controller);
    }
  }

  /** How many are under way. */
  get size(): number {
    return this.open.size;
  }

  /** Aborts those that are under way. */
  abortAll(): void {
    for (const controller of this.open) controller.abort(new TimeIsUp());
  }
}
