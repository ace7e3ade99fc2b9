import type { Registry } from 'prom-client';
import { Histogram } from 'prom-client';

import type { AttemptNote } from './outcome.js';

/** The label of an attempt: `2xx`, or the class of failure without an answer, such as `timeout`: a fixed set. */
export const answerOf = ({ status, error }: AttemptNote): string =>
  status === null ? (error ?? '').split(':', 1).join() : `${Math.floor(status / 100)}xx`;

/** How long attempts of one outbox began after they were due. */
export class AttemptWaits {
  private readonly waits: Histogram;

  constructor(name: string, registry: Registry) {
    this.waits = new Histogram({
      name,
      help: 'Time from when an attempt was due to when it began',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
      registers: [registry],
    });
  }

  /** `waitedMs`: from when it was due until it began. */
  observe(waitedMs: number): void {
    this.waits.observe(Math.max(0, waitedMs) / 1_000);
  }
}
