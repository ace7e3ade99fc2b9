import { Injectable } from '@nestjs/common';
import { inPortions } from '../../platform/database/connection/queryable.js';
import { Database } from '../../platform/database/pools/database.js';
import { RELEASED } from '../../platform/outbox/leases.js';
import { removeSettled } from '../../platform/outbox/outbox-log.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import type { ClaimedNotice } from './notice-claims.js';

/** `retry` comes in `waitMs`; `withdrawn`: nothing was sent. */
export interface NoticeNote {
  readonly claim: ClaimedNotice;
  readonly verdict: 'delivered' | 'dead' | 'retry' | 'withdrawn';
  /** 0 unless it is sent again. */
  readonly waitMs: number;
  /** Null if the attempt did not fail. */
  readonly failure: string | null;
}

/** Records what becomes of notices, and erases what they said (U-9). */
@Injectable()
export class NoticeNotes {
  constructor(private readonly database: Database) {}

  /** Only the holder of the claim can tell what follows. */
  async write({ claim, verdict, waitMs, failure }: NoticeNote): Promise<void> {
    const isOver = verdict === 'delivered' || verdict === 'dead';
    await this.database.query(sql`
      update user_notice
         set status = case when ${isOver}::boolean then ${verdict}::text else status end,
             body_sealed = case when ${isOver}::boolean then null else body_sealed end,
             settled_at = case when ${isOver}::boolean then now() end,
             last_failure = coalesce(${failure}::text, last_failure),
             failures = failures + case when ${verdict}::text in ('retry', 'dead') then 1 else 0 end,
             next_attempt_at = case when ${isOver}::boolean then null
                                    when ${verdict}::text = 'retry'
                                    then clock_timestamp() + ${waitMs}::float8 * interval '1 millisecond'
                                    else next_attempt_at end,
             ${RELEASED}
       where notice_id = ${claim.noticeId} and claim_token = ${claim.token} and status = 'pending'`);
  }

  /** Erases what has expired; resolves with how many there were. */
  async expire(signal: AbortSignal | undefined): Promise<number> {
    const expiry = (most: number): Sql => sql`
      update user_notice
         set status = 'expired', body_sealed = null, settled_at = now(), next_attempt_at = null, ${RELEASED}
       where notice_id in (select notice_id from user_notice where status = 'pending' and expires_at <= now()
                            limit ${most} for update skip locked)
      returning 1`;
    return inPortions(this.database, expiry, signal);
  }

  /** Removes what was settled more than `days` ago. */
  async remove(days: number, signal: AbortSignal | undefined): Promise<void> {
    await removeSettled(this.database, { table: sql`user_notice`, key: sql`notice_id` }, days, signal);
  }
}
