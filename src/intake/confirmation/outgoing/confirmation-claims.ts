import { randomUUID } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';

import type { Config } from '../../../config/config.js';
import { CONFIG } from '../../../config/config.js';
import { CONFIRMATIONS_LOCK } from '../../../database/advisory-locks.js';
import { SessionLock } from '../../../database/connection/session-lock.js';
import { Database } from '../../../database/pools/database.js';
import type { Queryable } from '../../../database/queryable.js';
import type { ActionType } from '../../../domain/record/event-action.js';
import type { Uuid } from '../../../domain/uuid.js';
import type { Due, PaceOf } from '../../../outbound/outbox/choose-due.js';
import { chooseDue, MOST_DUE_OF_A_KIND } from '../../../outbound/outbox/choose-due.js';
import { claimed, freedOfTheDead, isFree } from '../../../outbound/outbox/leases.js';
import { sql } from '../../../sql/sql.js';

/**
 * Confirmations that are likely to take equally long: those of one type of action on one type of event, what is asked
 * again apart from what is asked for the first time.
 */
export interface ConfirmationKind {
  readonly eventType: string;
  readonly actionType: ActionType;
  readonly isRetry: boolean;
}

/** A confirmation that this process is to obtain. */
export interface ClaimedConfirmation {
  readonly actionId: Uuid;
  readonly eventId: Uuid;
  readonly eventType: string;
  readonly actionType: ActionType;
  readonly correlationId: string;
  /** Failed attempts so far. */
  readonly failures: number;
  /** When it became due, and when it was claimed, by the database's clock. */
  readonly dueMs: number;
  readonly nowMs: number;
  /** Of the claim. */
  readonly token: string;
}

/** What a lease lasts beyond the time-out of the exchange: until it has begun, and until its outcome is recorded. */
const MARGIN_SECONDS = 20;
const BEGUN_WITHIN_SECONDS = 15;

/**
 * Which process obtains which confirmation: as in the outbox of webhooks, a lease says so, and all times are the
 * database's (W-8, W-16). Of an event only the oldest pending confirmation is claimed, so that they are obtained one at
 * a time and in order (E-15).
 */
@Injectable()
export class ConfirmationClaims {
  private readonly leaseSeconds: number;

  constructor(
    private readonly database: Database,
    private readonly lock: SessionLock,
    @Inject(CONFIG) { CONFIRMATION_TIMEOUT_SECONDS }: Pick<Config, 'CONFIRMATION_TIMEOUT_SECONDS'>,
  ) {
    this.leaseSeconds = Math.ceil(CONFIRMATION_TIMEOUT_SECONDS) + MARGIN_SECONDS;
  }

  /** How long a claim is valid, in milliseconds. */
  get leaseMs(): number {
    return this.leaseSeconds * 1_000;
  }

  /** Whether what was claimed then, by `performance.now()`, may still be posted: the lease outlasts the exchange. */
  isFresh(claimedMs: number): boolean {
    return performance.now() - claimedMs <= BEGUN_WITHIN_SECONDS * 1_000;
  }

  /** Claims what is due, within the limits over all processes. */
  claim(paceOf: PaceOf<ConfirmationKind>): Promise<readonly ClaimedConfirmation[]> {
    return this.database.transaction(async (transaction) => {
      // Together with the commit: who counts what is claimed sees what everybody before has claimed.
      await transaction.query(sql`select pg_advisory_xact_lock(${CONFIRMATIONS_LOCK})`);
      const chosen = chooseDue(await dueOf(transaction), paceOf);
      return chosen.length === 0 ? [] : this.claimThese(transaction, chosen);
    });
  }

  /** Frees the claims of processes that have ended (W-16): see `freedOfTheDead`. */
  async freeOfTheDead(alone: boolean): Promise<void> {
    const confirmations = { table: sql`confirmation`, key: sql`action_id` };
    await this.database.query(freedOfTheDead(confirmations, { holder: this.lock.key, alone }));
  }

  private claimThese(transaction: Queryable, ids: readonly Uuid[]): Promise<readonly ClaimedConfirmation[]> {
    const tokens = ids.map(() => randomUUID());
    return transaction.query<ClaimedConfirmation>(sql`
      update confirmation c
         set ${claimed({ token: sql`chosen.token`, seconds: this.leaseSeconds, holder: this.lock.key })}
        from unnest(${ids}::uuid[], ${tokens}::uuid[]) as chosen (id, token)
       where c.action_id = chosen.id and c.status = 'pending'
      returning c.action_id as "actionId", c.event_id as "eventId", c.event_type as "eventType",
                c.action_type as "actionType", c.correlation_id as "correlationId", c.failures,
                extract(epoch from c.next_attempt_at)::float8 * 1000 as "dueMs",
                extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs", c.claim_token as token`);
  }
}

/**
 * What is claimed and what is due, kind by kind: the index is entered once for each kind, and a few entries are read of
 * each, however many are due.
 */
async function dueOf(transaction: Queryable): Promise<readonly (ConfirmationKind & Due)[]> {
  const kind = sql`event_type, action_type, failures > 0 as is_retry`;
  return transaction.query<ConfirmationKind & Due>(sql`
    with recursive kind as (
      (select ${kind} from confirmation where status = 'pending'
        order by event_type, action_type, failures > 0 limit 1)
      union all
      select next.* from kind cross join lateral (
        select ${kind} from confirmation c
         where status = 'pending'
           and (c.event_type, c.action_type, c.failures > 0) > (kind.event_type, kind.action_type, kind.is_retry)
         order by event_type, action_type, failures > 0 limit 1) next
    ), claimed as (
      select event_type, action_type, failures > 0 as is_retry, count(*)::int as count
        from confirmation c where claim_token is not null and status = 'pending' and not ${isFree(sql`c`)}
       group by 1, 2, 3
    )
    select kind.event_type as "eventType", kind.action_type as "actionType", kind.is_retry as "isRetry",
           coalesce(claimed.count, 0) as claimed,
           array(
             select c.action_id from confirmation c
              where c.status = 'pending' and c.event_type = kind.event_type and c.action_type = kind.action_type
                and (c.failures > 0) = kind.is_retry and c.next_attempt_at <= now() and ${isFree(sql`c`)}
                and not exists (select from confirmation before where before.event_id = c.event_id
                                   and before.status = 'pending' and before.position < c.position)
              order by c.next_attempt_at limit ${MOST_DUE_OF_A_KIND}) as due
      from kind left join claimed using (event_type, action_type, is_retry)`);
}
