import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { AttemptNote } from '../../outbound/attempts/outcome.js';
import { CountedBacklog } from '../../outbound/outbox/counted-backlog.js';
import type { Backlog } from './delivery-backlog.js';
import { DeliveryBacklog } from './delivery-backlog.js';
import type { Settlement } from './settlements.js';

interface Attempt {
  readonly verdict: Settlement['verdict'];
  readonly note: AttemptNote;
  /** From when it was due until it began. */
  readonly waitedMs: number;
}

/** The Prometheus metrics of deliveries (G-10): the attempts of this process, and the backlog of all processes. */
@Injectable()
export class DeliveryMetrics {
  readonly registry = new Registry();
  private readonly attempts = new Counter({
    name: 'matricula_webhook_attempts_total',
    help: 'Attempts of this process to deliver, by what became of the delivery and by the answer or what kept it from coming',
    labelNames: ['outcome', 'answer'] as const,
    registers: [this.registry],
  });
  private readonly durations = new Histogram({
    name: 'matricula_webhook_attempt_duration_seconds',
    help: 'Time that a subscriber took for an attempt, whatever came of it',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
    registers: [this.registry],
  });
  private readonly waits = new Histogram({
    name: 'matricula_webhook_wait_seconds',
    help: 'Time from when an attempt was due to when it began',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
    registers: [this.registry],
  });

  constructor(backlog: DeliveryBacklog) {
    const counted = new CountedBacklog(() => backlog.read());
    const last = (): Promise<Backlog | undefined> => counted.last();
    new Gauge({
      name: 'matricula_webhook_deliveries',
      help: 'Deliveries of all processes that are not made: pending ones, and dead ones, which can be replayed',
      labelNames: ['status'] as const,
      registers: [this.registry],
      async collect() {
        const backlog = await last();
        // Unknown values are left out.
        this.reset();
        if (backlog === undefined) return;
        this.set({ status: 'pending' }, backlog.pending);
        this.set({ status: 'dead' }, backlog.dead);
      },
    });
    new Gauge({
      name: 'matricula_webhook_oldest_pending_age_seconds',
      help: 'Time since the oldest pending delivery of all processes was made; 0 when none is pending',
      registers: [this.registry],
      async collect() {
        this.set((await last())?.oldestPendingSeconds ?? NaN);
      },
    });
  }

  observe({ verdict, note, waitedMs }: Attempt): void {
    this.attempts.inc({ outcome: verdict, answer: answerOf(note) });
    this.durations.observe(note.durationMs / 1_000);
    this.waits.observe(Math.max(0, waitedMs) / 1_000);
  }
}

/** `2xx`, or the class of failure without an answer, such as `timeout`: a fixed set. */
export const answerOf = ({ status, error }: AttemptNote): string =>
  status === null ? (error ?? '').split(':', 1).join() : `${Math.floor(status / 100)}xx`;
