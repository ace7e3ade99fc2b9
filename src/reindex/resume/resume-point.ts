import { sql } from '../../sql/sql.js';
import type { ReindexSession } from '../reindex-session.js';
import { NEXT_TABLES } from '../shadow-tables.js';
import { FORGET_RESUME_POINT } from './forget-resume-point.js';
import type { Origin } from './origin.js';
import { reasonAgainst } from './origin.js';

/** How far a reindex has come. */
export interface ResumePoint {
  readonly beganAt: Date;
  /** All events up to this `seq` are derived. */
  readonly last: string;
  /** How many events those are. */
  readonly events: number;
  /** Whether those are all that the run found at its beginning: the rest counts as changed. */
  readonly isFilled: boolean;
}

/** What an interrupted run has left: where to go on, or the reason why a run cannot. */
export type Left = { readonly point: ResumePoint } | { readonly reason: string };

/** After that many transactions their numbers soon begin again, and no longer tell what is newer. */
const MOST_TRANSACTIONS = 1_000_000_000;

/**
 * Begins to keep how far the run has come: in a table that is logged as the new tables are, and written with them, so
 * that a crash or a failover takes all of them back to the same moment. `since` is the oldest transaction that may have
 * been running: whatever is derived is as new as that, at least.
 */
export async function beginResumePoint(session: ReindexSession, origin: Origin): Promise<ResumePoint> {
  return session.transaction(async () => {
    await session.execute([FORGET_RESUME_POINT, CREATE]);
    const [point] = await session.query<ResumePoint>(sql`
      insert into reindex_state (since, origin)
      select pg_snapshot_xmin(pg_current_snapshot()), ${JSON.stringify(origin)}::jsonb
      returning ${POINT}`);
    if (point === undefined) throw new Error('the state of the reindex was not written');
    return point;
  });
}

/** Moves the point; to be called in the transaction that writes the rows of `events` more events. */
export const moveResumePoint = (session: ReindexSession, last: string, events: number): Promise<unknown> =>
  session.query(sql`update reindex_state set last = ${last}::bigint, events = events + ${events}::int`);

/** Records that every event has been derived: what remains are changes, indexes and the swap. */
export const markFilled = (session: ReindexSession): Promise<unknown> =>
  session.query(sql`update reindex_state set is_filled = true`);

/** What an interrupted run has left; undefined if there is nothing. */
export async function leftResumePoint(session: ReindexSession, origin: Origin): Promise<Left | undefined> {
  const [table] = await session.query<{ exists: boolean }>(
    sql`select to_regclass('reindex_state') is not null as exists`,
  );
  if (table?.exists !== true) return undefined;
  const [left] = await session.query<ResumePoint & LeftState>(sql`
    select ${POINT}, origin,
           pg_current_xact_id()::text::numeric - since::text::numeric between 0 and ${MOST_TRANSACTIONS} as "isRecent",
           exists (select from area_term where ${IS_SINCE}) as "areAreasMoved"
      from reindex_state`);
  if (left === undefined) return undefined;
  const reason = reasonAgainst(left.origin, origin);
  if (reason !== undefined) return { reason };
  if (!left.isRecent) return { reason: 'too much was written since' };
  // Terms of areas may be wrong in the new tables alone, where `settleAreaTerms` has not looked.
  if (left.areAreasMoved) return { reason: 'places were added or moved since' };
  return { point: left };
}

/**
 * Notes as changed everything that may have been written since the run began, since nobody noted it between the runs,
 * and everything that is no longer there. Later changes must be noted already. A row keeps the id of the transaction
 * that wrote it, also when it is frozen; of rows older than half of all ids PostgreSQL cannot tell the age, and some of
 * them are derived in vain.
 */
export async function noteChangesSince(session: ReindexSession, { last, isFilled }: ResumePoint): Promise<void> {
  const isDone = isFilled ? sql`true` : sql`seq <= ${last}::bigint`;
  await session.query(sql`
    insert into reindex_changed (seq)
    select seq from event_search where ${IS_SINCE} and ${isDone}
     union all
    select seq from event_document where ${IS_SINCE} and ${isDone}
     union all
    select seq from ${NEXT_TABLES.search} as next
     where not exists (select from event_search where event_search.seq = next.seq)`);
}

interface LeftState {
  readonly origin: Partial<Origin>;
  readonly isRecent: boolean;
  readonly areAreasMoved: boolean;
}

const CREATE = `create table reindex_state (
  began_at timestamptz not null default now(),
  since xid8 not null,
  origin jsonb not null,
  last bigint not null default 0,
  events int not null default 0,
  is_filled boolean not null default false
)`;

const POINT = sql`began_at as "beganAt", last, events, is_filled as "isFilled"`;

/** Whether the row, of the only table in a query, was written since the run began. */
const IS_SINCE = sql`age(xmin) <= (select age(since::xid) from reindex_state)`;
