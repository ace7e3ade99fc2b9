import { randomUUID } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';

import type { NoticeEvent } from '../auth/notices/notice.js';
import { NOTICE_EVENTS } from '../auth/notices/notice.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.js';
import { NOTICES_LOCK } from '../database/advisory-locks.js';
import { SessionLock } from '../database/connection/session-lock.js';
import { Database } from '../database/pools/database.js';
import type { Queryable } from '../database/queryable.js';
import type { Uuid } from '../domain/uuid.js';
import type { Due, PaceOf } from '../outbound/outbox/choose-due.js';
import { chooseDue, MOST_DUE_OF_A_KIND } from '../outbound/outbox/choose-due.js';
import { claimed, freedOfTheDead, isFree } from '../outbound/outbox/leases.js';
import { sql } from '../sql/sql.js';

/** Notices that are likely to take equally long: of one event, what is sent again apart from what is sent first. */
export interface NoticeKind {
  readonly event: NoticeEvent;
  readonly isRetry: boolean;
}

/** A notice that this process is to send. */
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
  /** Of the claim. */
  readonly token: string;
}

/** What a lease lasts beyond the time-out of the exchange: until its outcome is recorded. */
const MARGIN_SECONDS = 20;

/** Which process sends which notice: leases and clock are as in the outbox of webhooks (W-8, W-16). */
@Injectable()
export class NoticeClaims {
  private readonly leaseSeconds: number;

  constructor(
    private readonly database: Database,
    private readonly lock: SessionLock,
    @Inject(CONFIG) { CONFIRMATION_TIMEOUT_SECONDS }: Pick<Config, 'CONFIRMATION_TIMEOUT_SECONDS'>,
  ) {
    this.leaseSeconds = Math.ceil(CONFIRMATION_TIMEOUT_SECONDS) + MARGIN_SECONDS;
  }

  /** Claims what is due, within the limits over all processes. */
  claim(paceOf: PaceOf<NoticeKind>): Promise<readonly ClaimedNotice[]> {
    return this.database.transaction(async (transaction) => {
      // Together with the commit: who counts what is claimed sees what everybody before has claimed.
      await transaction.query(sql`select pg_advisory_xact_lock(${NOTICES_LOCK})`);
      const chosen = chooseDue(await dueOf(transaction), paceOf);
      return chosen.length === 0 ? [] : this.claimThese(transaction, chosen);
    });
  }

  /** Frees the claims of processes that have ended (W-16): see `freedOfTheDead`. */
  async freeOfTheDead(alone: boolean): Promise<void> {
    const notices = { table: sql`user_notice`, key: sql`notice_id` };
    await this.database.query(freedOfTheDead(notices, { holder: this.lock.key, alone }));
  }

  private claimThese(transaction: Queryable, ids: readonly Uuid[]): Promise<readonly ClaimedNotice[]> {
    const tokens = ids.map(() => randomUUID());
    return transaction.query<ClaimedNotice>(sql`
      update user_notice n
         set ${claimed({ token: sql`chosen.token`, seconds: this.leaseSeconds, holder: this.lock.key })}
        from unnest(${ids}::uuid[], ${tokens}::uuid[]) as chosen (id, token)
       where n.notice_id = chosen.id and n.status = 'pending'
      returning n.notice_id as "noticeId", n.event, n.correlation_id as "correlationId", n.body_sealed as sealed,
                n.failures, n.claim_token as token,
                extract(epoch from n.next_attempt_at)::float8 * 1000 as "dueMs",
                extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs",
                extract(epoch from n.expires_at)::float8 * 1000 as "expiresMs"`);
  }
}

/** What is claimed and what is due, kind by kind: a few entries of the index are read of each, however many are due. */
async function dueOf(transaction: Queryable): Promise<readonly (NoticeKind & Due)[]> {
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
              order by n.next_attempt_at limit ${MOST_DUE_OF_A_KIND}) as due
      from (select event, is_retry from unnest(${[...NOTICE_EVENTS]}::text[]) as event
              cross join (values (false), (true)) as tried (is_retry)) kind
           left join claimed using (event, is_retry)`);
}
