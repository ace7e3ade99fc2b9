/** How long a counted backlog is valid, however often it is requested. */
const COUNTED_MS = 5_000;

/**
 * The backlog of an outbox for its metrics: counted when it is asked for, and not more often than every five seconds.
 */
export class CountedBacklog<T> {
  private counted: { readonly untilMs: number; readonly backlog: Promise<T | undefined> } | undefined;

  constructor(private readonly count: () => Promise<T | undefined>) {}

  /** Undefined if the database cannot be asked. */
  last(): Promise<T | undefined> {
    if (this.counted === undefined || this.counted.untilMs < performance.now()) {
      const backlog = this.count().catch(() => undefined);
      this.counted = { untilMs: performance.now() + COUNTED_MS, backlog };
    }
    return this.counted.backlog;
  }
}
