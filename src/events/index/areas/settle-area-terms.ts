import { setTimeout as sleep } from 'node:timers/promises';

import { ADVISORY_LOCKS, AREAS_LOCK } from '../../../platform/database/connection/advisory-locks.js';
import type { Database } from '../../../platform/database/pools/database.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { Sql, sql } from '../../../kernel/sql/sql.js';
import { LOCATION_COLUMNS } from '../location-columns.js';
import { markChanged } from '../mark-dirty.js';
import { areaTermsOf, EVERY_AREA_TERM } from './area-terms-of.js';
import type { Doubt } from './write-area-terms.js';

/** How many rows are checked in one transaction. */
const ROWS = 20_000;

/** How long to wait for writers that began before an area was moved. */
const WRITERS_MS = 10_000;
const POLL_MS = 50;

/** Rows that were being written are checked again. */
const MOST_PASSES = 10;

/** Why settling may end before it is done. */
export interface Settling {
  readonly signal?: AbortSignal;
  /** Set in tests. */
  readonly writersMs?: number;
}

/**
 * After areas have been moved: gives every record the terms of the areas that its places are in now, and removes the
 * doubt about those terms. Searches are right throughout; those within the areas work without their terms. Resolves
 * with false if something was in the way, such as a writer that does not end or a reindex: try again later. If
 * interrupted at any moment it leaves the doubt.
 */
export async function settleAreaTerms(
  database: Database,
  { signal, writersMs = WRITERS_MS }: Settling = {},
): Promise<boolean> {
  const doubts = await readDoubts(database);
  if (doubts.length === 0) return true;
  if (!(await writersHaveEnded(database, performance.now() + writersMs, signal))) return false;
  const table = await tableOf(database);
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const corrected = await correctAll(database, doubts, signal);
    if (corrected === undefined) return false;
    if (corrected === 0) return lift(database, doubts, table);
  }
  return false;
}

/**
 * After a place was added: removes the doubts that this raised, without looking at all records, if no record names the
 * place and nobody is writing one. Resolves with false otherwise; `settleAreaTerms` then does it.
 */
export async function settleNewPlace(database: Database, place: Uuid, doubts: readonly Doubt[]): Promise<boolean> {
  if (doubts.length === 0) return true;
  const table = await tableOf(database);
  if (!(await writersHaveEnded(database, performance.now()))) return false;
  const isNamed = Sql.join(
    Object.values(LOCATION_COLUMNS).map((column) => sql`exists (select from event_search where ${column} = ${place})`),
    ' or ',
  );
  const [row] = await database.query<{ named: boolean }>(sql`select (${isNamed}) as named`);
  return row?.named === false && lift(database, doubts, table);
}

/**
 * A term that no place has any more stays in doubt, for processes that do not know this yet, until a place has it
 * again.
 */
const readDoubts = (reader: Queryable): Promise<readonly Doubt[]> =>
  reader.query<Doubt>(sql`
    select hash, moved_by as "movedBy" from term_doubt
     where moved_by is not null and hash in (select unnest(${EVERY_AREA_TERM}) from area_term)`);

/**
 * Waits for every transaction that has begun to write. A writer that read the terms of a place before the doubts
 * existed wrote the event first, and so has its transaction id by now. The bound is an id assigned here: the end of a
 * snapshot is one past the last completed transaction, and running writers can have higher ids.
 */
async function writersHaveEnded(database: Queryable, untilMs: number, signal?: AbortSignal): Promise<boolean> {
  const [given] = await database.query<{ last: string }>(sql`select pg_current_xact_id()::text as last`);
  for (;;) {
    const [row] = await database.query<{ ended: boolean }>(
      sql`select pg_snapshot_xmin(pg_current_snapshot()) >= ${given?.last}::xid8 as ended`,
    );
    if (row?.ended === true) return true;
    if (performance.now() > untilMs || signal?.aborted === true) return false;
    await sleep(POLL_MS);
  }
}

/** Resolves with the number of wrong rows; undefined if another process is doing this, or the signal has aborted. */
async function correctAll(
  database: Database,
  doubts: readonly Doubt[],
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  const [extent] = await database.query<{ first: string; last: string }>(
    sql`select coalesce(min(seq), 0) as first, coalesce(max(seq), -1) as last from event_search`,
  );
  let wrong = 0;
  for (let from = Number(extent?.first); from <= Number(extent?.last); from += ROWS) {
    if (signal?.aborted === true) return undefined;
    const found = await database.transaction((transaction) => correct(transaction, doubts, from));
    if (found === undefined) return undefined;
    wrong += found;
  }
  return wrong;
}

/** Corrects the rows from `from` on; locked rows are counted and skipped. */
async function correct(transaction: Queryable, doubts: readonly Doubt[], from: number): Promise<number | undefined> {
  const [lock] = await transaction.query<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${AREAS_LOCK}) as locked`,
  );
  if (lock?.locked !== true) return undefined;
  // Not by the statement that reads the table as well: it would wait for a reindex that swaps it, and the swap for it.
  await transaction.query(sql`lock table event_search, bitmap_dirty in row exclusive mode`);
  const hashes = doubts.map(({ hash }) => hash);
  const doubted = sql`(select unnest(${hashes}::bigint[]))`;
  const among = (terms: Sql): Sql => sql`array(select t from unnest(${terms}) t where t in ${doubted} order by t)`;
  const isInDoubtfulArea = Sql.join(
    Object.values(LOCATION_COLUMNS).map(
      (column) => sql`s.${column} in (select place from area_term a where a.${column} && ${hashes}::bigint[])`,
    ),
    ' or ',
  );
  const [row] = await transaction.query<{ wrong: string }>(sql`
    with looked as (
      select s.seq, s.updated_at, s.terms as had, ${among(sql`s.terms`)} as has, ${among(areaTermsOf(sql`s`))} as must
        from event_search s
       where s.seq >= ${from}::bigint and s.seq < ${from + ROWS}::bigint
         and (s.terms && ${hashes}::bigint[] or ${isInDoubtfulArea})
    ), wrong as materialized (
      select seq, updated_at, had, array(select t from unnest(had) t where t not in ${doubted}) || must as terms
        from looked where has <> must
    ), free as (
      select seq from event_search where seq in (select seq from wrong) order by seq for update skip locked
    ), corrected as (
      update event_search s set terms = wrong.terms from wrong join free using (seq) where s.seq = wrong.seq returning s.seq
    ), marked as (
      ${markChanged(sql`select seq, had, terms as has, updated_at from wrong join corrected using (seq)`)}
    )
    select count(*) as wrong from wrong`);
  return Number(row?.wrong);
}

/** Which table holds the rows: a reindex replaces it. */
async function tableOf(reader: Queryable): Promise<string> {
  const [row] = await reader.query<{ table: string }>(sql`select 'event_search'::regclass::oid::text as table`);
  return row?.table ?? '';
}

/**
 * Removes the doubts, except those of areas that have been moved again since. A reindex may have derived rows before,
 * which become visible when it ends: none may be running, or have ended meanwhile.
 */
const lift = (database: Database, doubts: readonly Doubt[], table: string): Promise<boolean> =>
  database.transaction(async (transaction) => {
    const [lock] = await transaction.query<{ locked: boolean }>(
      sql`select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.reindex}::bigint) as locked`,
    );
    if (lock?.locked !== true || (await tableOf(transaction)) !== table) return false;
    await transaction.query(sql`
      delete from term_doubt
       using unnest(${doubts.map(({ hash }) => hash)}::bigint[], ${doubts.map(({ movedBy }) => movedBy)}::text[])
               as settled (hash, moved_by)
       where term_doubt.hash = settled.hash and term_doubt.moved_by = settled.moved_by::xid8`);
    await transaction.query(sql`select pg_notify('places_changed', '')`);
    return true;
  });
