import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnModuleDestroy, Optional } from '@nestjs/common';
import { CORRELATION_ID, type CorrelationId } from '../access/request-target.js';
import { Announcements } from '../../platform/database/pools/announcements.js';
import { Database } from '../../platform/database/pools/database.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { sql } from '../../kernel/sql/sql.js';
import { SecretsBox } from '../secrets/secrets-box.js';
import { type Notice, type NoticeEvent, purposeOfNotice } from './notice.js';

/** Notices of one event that wait for one user: nobody fills the table by asking again and again. */
const MOST_OF_A_USER = 3;

/** The outbox of what is sent to users through the country configuration (U-2). */
@Injectable()
export class NoticeOutbox implements OnModuleDestroy {
  private readonly due: Announcements;

  constructor(
    database: Database,
    private readonly box: SecretsBox,
    @Optional() @Inject(CORRELATION_ID) private readonly correlationId: CorrelationId = () => undefined,
    private readonly metrics: Metrics = new Metrics(),
  ) {
    // Counted from 0, so that the first one is an increase.
    for (const reason of ['dead', 'expired', 'replaced'] as const) this.countUnsent(reason, 0);
    this.due = new Announcements(database, 'user_notice_due');
  }

  /**
   * Writes a notice in the transaction of what it tells of, sealed (U-9). It takes the place of the oldest ones of the
   * same event that still wait for this user, if there are `MOST_OF_A_USER`: nobody will be sent those. Call
   * `announce()` after the commit.
   */
  async enqueue<E extends NoticeEvent>(
    transaction: Queryable,
    { event, userId, body, goodSeconds }: Notice<E>,
  ): Promise<void> {
    const id = randomUUID();
    const sealed = this.box.seal(JSON.stringify(body), purposeOfNotice(id));
    const [counted] = await transaction.query<{ readonly replaced: number }>(sql`
      with replaced as (
        update user_notice
           set status = 'expired', body_sealed = null, next_attempt_at = null, settled_at = now(),
               claim_token = null, claimed_until = null
         where notice_id in (
                 select notice_id from user_notice
                  where user_id = ${userId} and event = ${event} and status = 'pending'
                  order by position desc offset ${MOST_OF_A_USER - 1} for update skip locked)
        returning 1
      ), added as (
      insert into user_notice (notice_id, event, user_id, correlation_id, body_sealed, expires_at, status,
                               next_attempt_at)
      values (${id}, ${event}, ${userId}, ${this.correlationId() ?? randomUUID()}, ${sealed},
              now() + make_interval(secs => ${goodSeconds}::float8), 'pending', now())
      )
      select count(*)::int as replaced from replaced`);
    this.countUnsent('replaced', counted?.replaced ?? 0);
  }

  /** This process has given up so many, or replaced them by later ones. */
  countUnsent(reason: 'dead' | 'expired' | 'replaced', count: number): void {
    this.metrics.counter('matricula_notices_unsent_total').inc({ reason }, count);
  }

  /** Has what was enqueued sent now; without it, it is found within a second. */
  announce(): void {
    this.due.announce();
  }

  async onModuleDestroy(): Promise<void> {
    await this.due.end();
  }
}
