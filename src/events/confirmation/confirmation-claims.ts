import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { CONFIRMATIONS_LOCK } from '../../platform/database/connection/advisory-locks.js';
import { SessionLock } from '../../platform/database/connection/session-lock.js';
import { Database } from '../../platform/database/pools/database.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { ActionType } from '../../kernel/domain/event-action.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Chosen, COUNTRY_BOUNDS, countryTerms, type Due, RowClaims } from '../../platform/outbox/row-claims.js';
import { isFree } from '../../platform/outbox/leases.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';

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
  readonly token: string;
}

/**
 * Claims the oldest pending confirmation of an event, and none while a later one is claimed, as an earlier one may be
 * replayed: confirmations are obtained one at a time and in order (E-15).
 */
@Injectable()
export class ConfirmationClaims extends RowClaims<ConfirmationKind, ClaimedConfirmation> {
  constructor(
    database: Database,
    lock: SessionLock,
    @Inject(CONFIG) { CONFIRMATION_TIMEOUT_SECONDS }: Pick<Config, 'CONFIRMATION_TIMEOUT_SECONDS'>,
  ) {
    super(database, lock, {
      ...{ table: sql`confirmation`, key: sql`action_id`, lock: CONFIRMATIONS_LOCK },
      ...{ bounds: COUNTRY_BOUNDS, terms: countryTerms(CONFIRMATION_TIMEOUT_SECONDS) },
    });
  }

  protected claiming({ rows, lease }: Chosen): Sql {
    return sql`
      update confirmation c
         set ${lease}
        from ${rows}
       where c.action_id = chosen.id and c.status = 'pending'
      returning c.action_id as "actionId", c.event_id as "eventId", c.event_type as "eventType",
                c.action_type as "actionType", c.correlation_id as "correlationId", c.failures,
                extract(epoch from c.next_attempt_at)::float8 * 1000 as "dueMs",
                extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs", c.claim_token as token`;
  }

  /** The index is entered once for each kind, and a few entries are read of each, however many are due. */
  protected dueOf(transaction: Queryable): Promise<readonly (ConfirmationKind & Due)[]> {
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
                  and not exists (select from confirmation later where later.event_id = c.event_id
                                     and later.status = 'pending' and later.position > c.position
                                     and not ${isFree(sql`later`)})
                order by c.next_attempt_at limit ${this.bounds.ofAKind.quick}) as due
        from kind left join claimed using (event_type, action_type, is_retry)`);
  }
}
