import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { NoticeEvent } from '../auth/notices/notice.js';
import { NoticeOutbox } from '../auth/notices/notice-outbox.js';
import { Database } from '../database/pools/database.js';
import type { AttemptNote } from '../outbound/attempts/outcome.js';
import { CountedBacklog } from '../outbound/outbox/counted-backlog.js';
import { sql } from '../sql/sql.js';
import { answerOf } from '../webhooks/delivery/delivery-metrics.js';

interface Backlog {
  readonly pending: number;
  readonly oldestPendingSeconds: number;
}

interface Attempt {
  readonly event: NoticeEvent;
  readonly outcome: 'delivered' | 'failed';
  readonly note: AttemptNote;
  /** From when it was due until it began. */
  readonly waitedMs: number;
}

/** The Prometheus metrics of notices to users: the attempts of this process, and the backlog of all processes. */
@Injectable()
export class NoticeMetrics {
  readonly registry = new Registry();
  private readonly attempts = new Counter({
    name: 'matricula_notice_attempts_total',
    help: 'Attempts of this process to have a notice sent to a user, by event, outcome and answer',
    labelNames: ['event', 'outcome', 'answer'] as const,
    registers: [this.registry],
  });
  private readonly unsent: Counter<'reason'>;
  private readonly delays = new Histogram({
    name: 'matricula_notice_wait_seconds',
    help: 'Time from when an attempt was due to when it began',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
    registers: [this.registry],
  });

  constructor(
    private readonly database: Database,
    outbox: NoticeOutbox,
  ) {
    this.unsent = new Counter({
      name: 'matricula_notices_unsent_total',
      help: 'Notices to users that this process gave up, by the reason: dead after the last attempt, expired, or replaced by later ones',
      labelNames: ['reason'],
      registers: [this.registry],
      collect() {
        this.inc({ reason: 'replaced' }, outbox.takeReplaced());
      },
    });
    // Counted from 0, so that the first one is an increase.
    for (const reason of ['dead', 'expired'] as const) this.observeUnsent(reason, 0);
    const counted = new CountedBacklog(() => this.read());
    const last = (): Promise<Backlog | undefined> => counted.last();
    // Unknown values are not a number.
    new Gauge({
      name: 'matricula_notices_pending',
      help: 'Notices of all processes that wait to be sent',
      registers: [this.registry],
      async collect() {
        this.set((await last())?.pending ?? NaN);
      },
    });
    new Gauge({
      name: 'matricula_notice_oldest_pending_age_seconds',
      help: 'Time since the oldest pending notice of all processes was written; 0 when none is pending',
      registers: [this.registry],
      async collect() {
        this.set((await last())?.oldestPendingSeconds ?? NaN);
      },
    });
  }

  observe({ event, outcome, note, waitedMs }: Attempt): void {
    this.attempts.inc({ event, outcome, answer: answerOf(note) });
    this.delays.observe(Math.max(0, waitedMs) / 1_000);
  }

  observeUnsent(reason: 'dead' | 'expired', count: number): void {
    this.unsent.inc({ reason }, count);
  }

  private async read(): Promise<Backlog | undefined> {
    const [row] = await this.database.query<Backlog>(sql`
      select count(*)::int as pending,
             coalesce(greatest(extract(epoch from now() - min(created_at)), 0), 0)::float8 as "oldestPendingSeconds"
        from user_notice where status = 'pending'`);
    return row;
  }
}
