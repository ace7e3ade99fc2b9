import { Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';

import { UnreadableShaSecrets } from '../../auth/clients/sha-secrets.js';
import { Database } from '../../platform/database/pools/database.js';
import { answerOf, AttemptWaits } from '../../platform/outbox/attempt-metrics.js';
import type { AttemptNote } from '../../platform/outbox/outcome.js';
import { CountedBacklog } from '../../platform/outbox/counted-backlog.js';
import { sql } from '../../kernel/sql/sql.js';
import type { Settlement } from './settlements.js';

/** The backlog of all processes together. */
interface Backlog {
  readonly pending: number;
  readonly dead: number;
  /** Age of the oldest pending delivery; 0 if none is pending. */
  readonly oldestPendingSeconds: number;
  /** Subscribed clients for whom everything waits, since this process could not read their `sha_secret`. */
  readonly unreadableClients: number;
}

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
  private readonly waits = new AttemptWaits('matricula_webhook_wait_seconds', this.registry);

  constructor(
    private readonly database: Database,
    private readonly unreadable: UnreadableShaSecrets,
  ) {
    const counted = new CountedBacklog(this.registry, () => this.read());
    counted.gaugeByStatus(['pending', 'dead'], {
      name: 'matricula_webhook_deliveries',
      help: 'Deliveries of all processes that are not made: pending ones, and dead ones, which can be replayed',
    });
    counted.gauge('oldestPendingSeconds', {
      name: 'matricula_webhook_oldest_pending_age_seconds',
      help: 'Time since the oldest pending delivery of all processes was made; 0 when none is pending',
    });
    counted.gauge('unreadableClients', {
      name: 'matricula_webhook_unreadable_clients',
      help: 'Subscribed clients for whom everything waits, since this process could not read their sha_secret',
    });
  }

  observe({ verdict, note, waitedMs }: Attempt): void {
    this.attempts.inc({ outcome: verdict, answer: answerOf(note) });
    this.durations.observe(note.durationMs / 1_000);
    this.waits.observe(waitedMs);
  }

  private async read(): Promise<Backlog> {
    const isUnreadable = this.unreadable.includes(sql`c.client_id`, sql`c.sha_secret_sealed`);
    const [row] = await this.database.query<Backlog>(sql`
      select (select count(*)::int from webhook_delivery where status = 'dead') as dead, pending.*,
             (select count(*)::int from system_client c
               where c.status = 'active' and ${isUnreadable}
                 and exists (select from webhook_subscription s where s.client_id = c.client_id and s.deleted_at is null
                                and s.status = 'active')) as "unreadableClients"
        from (select count(*)::int as pending,
                     coalesce(greatest(extract(epoch from now() - min(created_at)), 0), 0)::float8 as "oldestPendingSeconds"
                from webhook_delivery where status = 'pending') pending`);
    if (row === undefined) throw new Error('nothing was counted');
    return row;
  }
}
