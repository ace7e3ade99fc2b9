import { Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';

import { Database } from '../../platform/database/pools/database.js';
import { answerOf, AttemptWaits } from '../../platform/outbox/attempt-metrics.js';
import type { AttemptNote } from '../../platform/outbox/outcome.js';
import { CountedBacklog } from '../../platform/outbox/counted-backlog.js';
import { sql } from '../../kernel/sql/sql.js';
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
  private readonly waits = new AttemptWaits('matricula_confirmation_wait_seconds', this.registry);

  constructor(private readonly database: Database) {
    const counted = new CountedBacklog(this.registry, () => this.read());
    counted.gaugeByStatus(['pending', 'waiting', 'dead'], {
      name: 'matricula_confirmations',
      help: 'Requested actions of all processes without an outcome: pending, waiting for a later answer, and dead ones, which can be replayed',
    });
    counted.gauge('oldestPendingSeconds', {
      name: 'matricula_confirmation_oldest_pending_age_seconds',
      help: 'Time since the oldest pending action of all processes was requested; 0 when none is pending',
    });
  }

  observe({ answer, note, waitedMs }: Attempt): void {
    this.attempts.inc({ outcome: answer, answer: answerOf(note) });
    this.durations.observe(note.durationMs / 1_000);
    this.waits.observe(waitedMs);
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
