import { NOTICE_EVENTS, type NoticeEvent } from './notice-outbox.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';

export interface EventNotices {
  readonly event: NoticeEvent;
  readonly pending: number;
  readonly oldestPending: OldestNotice | null;
  readonly delivered: number;
  /** Not sent in time, or replaced by later ones of the same event to the same user. */
  readonly expired: number;
  readonly dead: number;
}

interface OldestNotice {
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Failed attempts so far. */
  readonly failures: number;
  /** Null if there was none. */
  readonly lastFailure: string | null;
}

/** A notice that was given up. Its text is erased (U-9): it cannot be sent again. */
export interface DeadNotice {
  readonly event: NoticeEvent;
  readonly userId: Uuid;
  readonly createdAt: Date;
  readonly deadAt: Date;
  readonly failures: number;
  /** Such as `answered 503` or `connect: ECONNREFUSED`. */
  readonly reason: string | null;
}

export interface NoticeReport {
  readonly events: readonly EventNotices[];
  readonly dead: readonly DeadNotice[];
}

interface NoticeQuestion {
  readonly since: Date;
  readonly limit: number;
}

interface CountRow extends Omit<EventNotices, 'oldestPending'> {
  readonly oldestCreatedAt: Date | null;
  readonly oldestExpiresAt: Date | null;
  readonly oldestFailures: number | null;
  readonly oldestLastFailure: string | null;
}

/** Reports the backlog, and the outcome of other notices since a moment. */
export async function reportNotices(database: Queryable, { since, limit }: NoticeQuestion): Promise<NoticeReport> {
  const counts = await database.query<CountRow>(sql`
    with waiting as (
      select event, count(*)::int as pending from user_notice where status = 'pending' group by event
    ),
    settled as (
      select event, count(*) filter (where status = 'delivered')::int as delivered,
             count(*) filter (where status = 'expired')::int as expired,
             count(*) filter (where status = 'dead')::int as dead
        from user_notice where settled_at >= ${since} group by event
    ),
    oldest as (
      select distinct on (event) event, created_at, expires_at, failures, last_failure
        from user_notice where status = 'pending' order by event, created_at
    )
    select e.event, coalesce(w.pending, 0) as pending, coalesce(s.delivered, 0) as delivered,
           coalesce(s.expired, 0) as expired, coalesce(s.dead, 0) as dead,
           o.created_at as "oldestCreatedAt", o.expires_at as "oldestExpiresAt", o.failures as "oldestFailures",
           o.last_failure as "oldestLastFailure"
      from unnest(${[...NOTICE_EVENTS]}::text[]) with ordinality as e (event, nth)
           left join waiting w using (event) left join settled s using (event) left join oldest o using (event)
     order by e.nth`);
  const dead = await database.query<DeadNotice>(sql`
    select event, user_id as "userId", created_at as "createdAt", settled_at as "deadAt", failures,
           last_failure as reason
      from user_notice where status = 'dead' and settled_at >= ${since} order by settled_at desc limit ${limit}`);
  return { events: counts.map(eventOf), dead };
}

function eventOf({ event, pending, delivered, expired, dead, ...oldest }: CountRow): EventNotices {
  const { oldestCreatedAt: createdAt, oldestExpiresAt: expiresAt, oldestFailures, oldestLastFailure } = oldest;
  const isAny = createdAt !== null && expiresAt !== null;
  const failed = { failures: oldestFailures ?? 0, lastFailure: oldestLastFailure };
  return {
    event,
    pending,
    oldestPending: isAny ? { createdAt, expiresAt, ...failed } : null,
    delivered,
    expired,
    dead,
  };
}
