import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

import type { NoticeEvent } from './notice.js';
import { NoticeOutbox } from './notice-outbox.js';
import { Database } from '../../platform/database/pools/database.js';
import { answerOf, AttemptWaits } from '../../platform/outbox/attempt-metrics.js';
import type { AttemptNote } from '../../platform/outbox/outcome.js';
import { CountedBacklog } from '../../platform/outbox/counted-backlog.js';
import { sql } from '../../kernel/sql/sql.js';

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
  private readonly waits = new AttemptWaits('matricula_notice_wait_seconds', this.registry);

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
    const counted = new CountedBacklog(this.registry, () => this.read());
    counted.gauge('pending', {
      name: 'matricula_notices_pending',
      help: 'Notices of all processes that wait to be sent',
    });
    counted.gauge('oldestPendingSeconds', {
      name: 'matricula_notice_oldest_pending_age_seconds',
      help: 'Time since the oldest pending notice of all processes was written; 0 when none is pending',
    });
  }

  observe({ event, outcome, note, waitedMs }: Attempt): void {
    this.attempts.inc({ event, outcome, answer: answerOf(note) });
    this.waits.observe(waitedMs);
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
