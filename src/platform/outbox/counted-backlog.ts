import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';

/** How long a counted backlog is valid, however often it is requested. */
const COUNTED_MS = 5_000;

/** The backlog of an outbox in numbers; undefined if the database cannot be asked. */
type Count<T> = () => Promise<T | undefined>;

interface GaugeOptions {
  readonly name: string;
  readonly help: string;
}

/**
 * The backlog of an outbox for its metrics: counted when it is asked for, and not more often than every five seconds.
 */
export class CountedBacklog<T extends { readonly [Key in keyof T]: number }> {
  private counted: { readonly untilMs: number; readonly backlog: Promise<T | undefined> } | undefined;

  constructor(
    private readonly registry: Registry,
    private readonly count: Count<T>,
  ) {}

  /** Registers a gauge of one of its numbers; not a number while that is unknown. */
  gauge(key: keyof T, options: GaugeOptions): void {
    const last: Count<T> = () => this.last();
    new Gauge({
      ...options,
      registers: [this.registry],
      async collect() {
        this.set((await last())?.[key] ?? NaN);
      },
    });
  }

  /** Registers a gauge of those of its numbers that are of a status; without values while they are unknown. */
  gaugeByStatus(statuses: readonly (keyof T & string)[], options: GaugeOptions): void {
    const last: Count<T> = () => this.last();
    new Gauge({
      ...options,
      labelNames: ['status'] as const,
      registers: [this.registry],
      async collect() {
        const backlog = await last();
        this.reset();
        if (backlog !== undefined) for (const status of statuses) this.set({ status }, backlog[status]);
      },
    });
  }

  private last(): Promise<T | undefined> {
    if (this.counted === undefined || this.counted.untilMs < performance.now()) {
      const backlog = this.count().catch(() => undefined);
      this.counted = { untilMs: performance.now() + COUNTED_MS, backlog };
    }
    return this.counted.backlog;
  }
}
