import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnModuleDestroy, Optional } from '@nestjs/common';
import { CORRELATION_ID, type CorrelationId } from '../../auth/access/request-target.js';
import type { ActionType } from '../../kernel/domain/event-action.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql, type Sql } from '../../kernel/sql/sql.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { CONFIRMATIONS_LOCK } from '../../platform/database/connection/advisory-locks.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { SessionLock } from '../../platform/database/connection/session-lock.js';
import { Announcements } from '../../platform/database/pools/announcements.js';
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
import type { AttemptNote } from '../../platform/outbox/outcome.js';
import { Outgoing, type OutgoingAction, type SettledAction } from '../write/acceptance.js';
import type { ConfirmationStatus } from './confirmation-status.js';

/** The outcome of an attempt, for its confirmation. */
export interface ConfirmationNote {
  readonly claim: ClaimedConfirmation;
  /** When the attempt began, by the database's clock. */
  readonly atMs: number;
  /** Undefined if nothing was sent. */
  readonly attempt: AttemptNote | undefined;
  /**
   * `settled` where the event holds the outcome, and with it its confirmation; `over` when there is nothing to confirm
   * any more; `retry` in `waitMs`.
   */
  readonly verdict: 'settled' | 'waiting' | 'over' | 'retry' | 'dead' | 'withdrawn';
  /** 0 unless it is tried again. */
  readonly waitMs: number;
}

/** Records attempts, and what follows from those that are not accepted or rejected. */
@Injectable()
export class ConfirmationNotes {
  constructor(private readonly database: Database) {}

  /**
   * Only the holder of the claim can tell what follows; that it was tried is true whoever says so. Resolves with the
   * status that the holder leaves it in.
   */
  async write({ claim, atMs, attempt, verdict, waitMs }: ConfirmationNote): Promise<ConfirmationStatus | undefined> {
    // The schedule of a failure is that of the attempts before it: a replay has begun another one.
    const told = sql`case when ${verdict}::text in ('retry', 'dead') and failures <> ${claim.failures}::int
                          then 'replayed' else ${verdict}::text end`;
    const [noted] = await this.database.query<{ readonly status: ConfirmationStatus }>(sql`
      with attempt as (
        insert into confirmation_attempt (action_id, at, duration_ms, status, error, response)
        select action_id, ${new Date(atMs)}, ${attempt?.durationMs ?? 0}, ${attempt?.status ?? null},
               ${attempt?.error ?? null}, ${attempt?.response ?? null}
          from confirmation c where action_id = ${claim.actionId} and ${attempt !== undefined}::boolean
           -- It may be there already, if the answer to an earlier statement was lost.
           and not exists (select from confirmation_attempt a
                            where a.action_id = c.action_id and a.at = ${new Date(atMs)})
      )
      update confirmation
         set status = case when status <> 'pending' then status
                           when ${told} in ('waiting', 'dead', 'over') then ${verdict} else status end,
             settled_at = case when status = 'pending' and ${verdict}::text = 'over' then now() else settled_at end,
             failures = failures + case when ${told} in ('retry', 'dead') then 1 else 0 end,
             next_attempt_at = case when status <> 'pending' then null
                                    when ${told} = 'retry'
                                    then clock_timestamp() + ${waitMs}::float8 * interval '1 millisecond'
                                    when ${told} in ('waiting', 'dead', 'over') then null
                                    else next_attempt_at end,
             ${RELEASED}
       where action_id = ${claim.actionId} and claim_token = ${claim.token}
      returning status`);
    return noted?.status;
  }

  /** Removes those that were settled more than `days` ago: the events keep their outcome. Others stay. */
  async remove(days: number, signal?: AbortSignal): Promise<void> {
    const where = sql`status in ('accepted', 'rejected', 'over')`;
    await removeSettled(this.database, { table: sql`confirmation`, key: sql`action_id`, where }, days, signal);
  }
}

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

/** Writes the outbox of requested actions, in the transactions that write the events (E-7). */
@Injectable()
export class ConfirmationOutbox extends Outgoing implements OnModuleDestroy {
  private readonly due: Announcements;
  private readonly settled: Announcements;

  constructor(
    database: Database,
    @Optional() @Inject(CORRELATION_ID) private readonly correlationId: CorrelationId = () => undefined,
  ) {
    super();
    this.due = new Announcements(database, 'confirmation_due');
    this.settled = new Announcements(database, 'confirmation_settled');
  }

  async write(transaction: Queryable, actions: readonly OutgoingAction[]): Promise<void> {
    const ownId = this.correlationId() ?? randomUUID();
    await transaction.query(sql`
      insert into confirmation (action_id, event_id, event_type, action_type, correlation_id, status, next_attempt_at)
      select new.action_id, event.id, event.type, new.action_type, new.correlation_id, 'pending', now()
        from unnest(${actions.map(({ action }) => action.id)}::uuid[], ${idsOf(actions)}::uuid[],
                    ${actions.map(({ action }) => action.type)}::text[],
                    ${actions.map(({ correlationId }) => correlationId ?? ownId)}::text[])
               with ordinality as new (action_id, event_id, action_type, correlation_id, ordinal)
        join event on event.id = new.event_id
       order by new.ordinal`);
  }

  async settle(transaction: Queryable, settled: readonly SettledAction[]): Promise<void> {
    await transaction.query(sql`
      update confirmation c set status = new.status, settled_at = now(), next_attempt_at = null
        from unnest(${settled.map(({ actionId }) => actionId)}::uuid[],
                    ${settled.map(({ status }) => STATUSES[status])}::text[])
               as new (action_id, status)
       where c.action_id = new.action_id`);
  }

  announce(): void {
    this.due.announce();
  }

  announceSettled(): void {
    this.settled.announce();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.due.end(), this.settled.end()]);
  }
}

const STATUSES = { Accepted: 'accepted', Rejected: 'rejected', Deleted: 'over' } as const satisfies Record<
  SettledAction['status'],
  ConfirmationStatus
>;

const idsOf = (actions: readonly OutgoingAction[]): readonly Uuid[] => actions.map(({ eventId }) => eventId);
