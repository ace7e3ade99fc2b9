import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import { Database } from '../../../database/pools/database.js';
import type { AttemptNote } from '../../../outbound/attempts/outcome.js';
import { CountedBacklog } from '../../../outbound/outbox/counted-backlog.js';
import { sql } from '../../../sql/sql.js';
import { answerOf } from '../../../webhooks/delivery/delivery-metrics.js';
import type { CountryAnswer } from './country-answer.js';

interface Backlog {
  readonly pending: number;
  readonly waiting: number;
  readonly dead: number;
  readonly oldestPendingSeconds: number;
}

interface Attempt {
  readonly answer: CountryAnswer['kind'] | 'over';
  readonly note: AttemptNote;
  /** From when it was due until it began. */
  readonly waitedMs: number;
}

/** The Prometheus metrics of confirmations (G-10): the attempts of this process, and the backlog of all processes. */
@Injectable()
export class ConfirmationMetrics {
  readonly registry = new Registry();
  private readonly attempts = new Counter({
    name: 'matricula_confirmation_attempts_total',
    help: 'Attempts of this process to have an action confirmed, by what came of it and by the answer',
    labelNames: ['outcome', 'answer'] as const,
    registers: [this.registry],
  });
  private readonly durations = new Histogram({
    name: 'matricula_confirmation_attempt_duration_seconds',
    help: 'Time that the country configuration took for an attempt, whatever came of it',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });
  private readonly delays = new Histogram({
    name: 'matricula_confirmation_wait_seconds',
    help: 'Time from when an attempt was due to when it began',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
    registers: [this.registry],
  });

  constructor(private readonly database: Database) {
    const counted = new CountedBacklog(() => this.read());
    const last = (): Promise<Backlog | undefined> => counted.last();
    new Gauge({
      name: 'matricula_confirmations',
      help: 'Requested actions of all processes without an outcome: pending, waiting for a later answer, and dead ones, which can be replayed',
      labelNames: ['status'] as const,
      registers: [this.registry],
      async collect() {
        const backlog = await last();
        // Unknown values are left out.
        this.reset();
        if (backlog === undefined) return;
        for (const status of ['pending', 'waiting', 'dead'] as const) this.set({ status }, backlog[status]);
      },
    });
    new Gauge({
      name: 'matricula_confirmation_oldest_pending_age_seconds',
      help: 'Time since the oldest pending action of all processes was requested; 0 when none is pending',
      registers: [this.registry],
      async collect() {
        this.set((await last())?.oldestPendingSeconds ?? NaN);
      },
    });
  }

  observe({ answer, note, waitedMs }: Attempt): void {
    this.attempts.inc({ outcome: answer, answer: answerOf(note) });
    this.durations.observe(note.durationMs / 1_000);
    this.delays.observe(Math.max(0, waitedMs) / 1_000);
  }

  private async read(): Promise<Backlog | undefined> {
    const [row] = await this.database.query<Backlog>(sql`
      select (select count(*)::int from confirmation where status = 'waiting') as waiting,
             (select count(*)::int from confirmation where status = 'dead') as dead, pending.*
        from (select count(*)::int as pending,
                     coalesce(greatest(extract(epoch from now() - min(created_at)), 0), 0)::float8
                       as "oldestPendingSeconds"
                from confirmation where status = 'pending') pending`);
    return row;
  }
}
