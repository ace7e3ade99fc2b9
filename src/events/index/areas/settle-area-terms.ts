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

/** Rows checked in one transaction. */
const ROWS = 20_000;

/** For writers that began before the move. */
const WRITERS_MS = 10_000;
const POLL_MS = 50;

/** Rows locked by writers need another pass. */
const MOST_PASSES = 10;

export interface Settling {
  readonly signal?: AbortSignal;
  /** Set in tests. */
  readonly writersMs?: number;
}

/**
 * Corrects the terms of moved areas, then removes the doubt. Searches stay correct throughout. Resolves with false if a
 * writer or a reindex is in the way. An interruption leaves the doubt.
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
 * Removes a new place's doubts without a scan, if no record or running writer names it. Otherwise resolves with false:
 * `settleAreaTerms` is needed.
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

/** Terms of no place stay in doubt: some processes may not know of the removal. */
const readDoubts = (reader: Queryable): Promise<readonly Doubt[]> =>
  reader.query<Doubt>(sql`
    select hash, moved_by as "movedBy" from term_doubt
     where moved_by is not null and hash in (select unnest(${EVERY_AREA_TERM}) from area_term)`);

/**
 * Waits for every transaction with an id: writers of older terms wrote their event first. The bound is an id assigned
 * here, since running writers can exceed the end of a snapshot.
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

/** The number of wrong rows; undefined during other work, or when aborted. */
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

/** Locked rows are counted and skipped. */
async function correct(transaction: Queryable, doubts: readonly Doubt[], from: number): Promise<number | undefined> {
  const [lock] = await transaction.query<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${AREAS_LOCK}) as locked`,
  );
  if (lock?.locked !== true) return undefined;
  // Separate, to avoid a deadlock with a reindex's swap.
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

/** A reindex replaces the table. */
async function tableOf(reader: Queryable): Promise<string> {
  const [row] = await reader.query<{ table: string }>(sql`select 'event_search'::regclass::oid::text as table`);
  return row?.table ?? '';
}

/** Keeps doubts of areas moved again. A concurrent reindex prevents the removal, as its rows may be older. */
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
