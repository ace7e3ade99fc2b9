import { Inject, Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { NOTICES_LOCK } from '../../platform/database/connection/advisory-locks.js';
import { inPortions, type Queryable } from '../../platform/database/connection/queryable.js';
import { SessionLock } from '../../platform/database/connection/session-lock.js';
import { Database } from '../../platform/database/pools/database.js';
import {
  type Chosen,
  COUNTRY_BOUNDS,
  countryTerms,
  type Due,
  isFree,
  RELEASED,
  RowClaims,
} from '../../platform/outbox/leases.js';
import { removeSettled } from '../../platform/outbox/outbox-log.js';
import { NOTICE_EVENTS, type NoticeEvent } from './notice-outbox.js';

/** Notices that are likely to take equally long: of one event, what is sent again apart from what is sent first. */
export interface NoticeKind {
  readonly event: NoticeEvent;
  readonly isRetry: boolean;
}

export interface ClaimedNotice {
  readonly noticeId: Uuid;
  readonly event: NoticeEvent;
  readonly correlationId: string;
  readonly sealed: string;
  /** Failed attempts so far. */
  readonly failures: number;
  /** When it became due, and when it was claimed, by the database's clock. */
  readonly dueMs: number;
  readonly nowMs: number;
  /** By the same clock. */
  readonly expiresMs: number;
  readonly token: string;
}

@Injectable()
export class NoticeClaims extends RowClaims<NoticeKind, ClaimedNotice> {
  constructor(
    database: Database,
    lock: SessionLock,
    @Inject(CONFIG) { CONFIRMATION_TIMEOUT_SECONDS }: Pick<Config, 'CONFIRMATION_TIMEOUT_SECONDS'>,
  ) {
    super(database, lock, {
      ...{ table: sql`user_notice`, key: sql`notice_id`, lock: NOTICES_LOCK },
      ...{ bounds: COUNTRY_BOUNDS, terms: countryTerms(CONFIRMATION_TIMEOUT_SECONDS) },
    });
  }

  protected claiming({ rows, lease }: Chosen): Sql {
    return sql`
      update user_notice n
         set ${lease}
        from ${rows}
       where n.notice_id = chosen.id and n.status = 'pending'
      returning n.notice_id as "noticeId", n.event, n.correlation_id as "correlationId", n.body_sealed as sealed,
                n.failures, n.claim_token as token,
                extract(epoch from n.next_attempt_at)::float8 * 1000 as "dueMs",
                extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs",
                extract(epoch from n.expires_at)::float8 * 1000 as "expiresMs"`;
  }

  /** A few entries of the index are read of each kind, however many are due. */
  protected dueOf(transaction: Queryable): Promise<readonly (NoticeKind & Due)[]> {
    return transaction.query<NoticeKind & Due>(sql`
      with claimed as (
        select event, failures > 0 as is_retry, count(*)::int as count
          from user_notice n where claim_token is not null and status = 'pending' and not ${isFree(sql`n`)}
         group by 1, 2
      )
      select kind.event, kind.is_retry as "isRetry", coalesce(claimed.count, 0) as claimed,
             array(
               select n.notice_id from user_notice n
                where n.status = 'pending' and n.event = kind.event and (n.failures > 0) = kind.is_retry
                  and n.next_attempt_at <= now() and n.expires_at > now() and ${isFree(sql`n`)}
                order by n.next_attempt_at limit ${this.bounds.ofAKind.quick}) as due
        from (select event, is_retry from unnest(${[...NOTICE_EVENTS]}::text[]) as event
                cross join (values (false), (true)) as tried (is_retry)) kind
             left join claimed using (event, is_retry)`);
  }
}

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

  async remove(days: number, signal: AbortSignal | undefined): Promise<void> {
    await removeSettled(this.database, { table: sql`user_notice`, key: sql`notice_id` }, days, signal);
  }
}
