import { type Sql, sql } from '../../../kernel/sql/sql.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { EVERY_TERM } from '../../index/statistics/write-bitmaps.js';
import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import { estimate, type SearchPlan, TWO_PHASE_FROM } from '../plan/plan.js';
import { compileFilter, compileRecheck, leavesOf, type Predicate } from '../predicate/predicate.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import type { Page } from '../predicate/sort.js';
import { bitmapTermsOf, countedByBitmaps } from '../statement/bitmap-total.js';
import {
  compileIndexed,
  compileMatches,
  compilePage,
  compileRows,
  compileSingleStatement,
  type PageRows,
  sortedRows,
  walkedRows,
} from '../statement/page.js';

export interface Found {
  readonly total: number;
  readonly rows: readonly FoundRow[];
}

export interface FoundRow {
  readonly body: string;
  /** A JSON list: see `compileSortValues`. */
  readonly sort_values: string;
}

/** An empty page is one row without a body. */
export type PageRow = { readonly total: string } & (FoundRow | { readonly [Key in keyof FoundRow]: null });

async function pageAndTotal(reader: Queryable, search: CompiledSearch, cardinalities: Cardinalities): Promise<Found> {
  const rows = await reader.query<PageRow>(compileSingleStatement(search, cardinalities));
  return { total: Number(rows[0]?.total), rows: rows.filter((row) => row.body !== null) };
}

/** In expected matches, which exceed the actual ones. */
const MOST_IN_ONE_STATEMENT = 100_000;

/** More marked records than this are not checked one by one. */
const MOST_DIRTY = 10_000;

/** Matches can be anywhere in the order. */
export interface WalkBounds {
  /** A factor of the expected length. */
  readonly slack: number;
  /** In entries, in addition. A shorter walk is always made. */
  readonly least: number;
}

const WALK_BOUNDS: WalkBounds = { slack: 4, least: 2_000 };

/** In one snapshot (S-5): the exact total, then the page in the cheapest way for this total. */
export async function twoPhaseSearch(
  snapshot: Queryable,
  search: CompiledSearch,
  cardinalities: Cardinalities,
  walk = WALK_BOUNDS,
): Promise<Found> {
  const counted = await countOfBitmaps(snapshot, search.matches, cardinalities);
  if (counted === undefined && isOneStatementBetter(search, cardinalities))
    return pageAndTotal(snapshot, search, cardinalities);
  const [row] = await snapshot.query<{ readonly total: string }>(counted ?? count(search.matches, cardinalities));
  const total = Number(row?.total);
  return { total, rows: await pageOf(snapshot, search, total, { cardinalities, walk }) };
}

/** Without bitmaps. Matches found by terms must be fetched to be counted: the same statement sorts a moderate number. */
function isOneStatementBetter({ matches, page }: CompiledSearch, cardinalities: Cardinalities): boolean {
  if (page.limit === 0 || !matches.isFindable) return false;
  const size = estimate(matches, cardinalities);
  const isOfTerms = leavesOf(matches).some(({ kind }) => kind === 'data');
  return size <= (isOfTerms ? MOST_IN_ONE_STATEMENT : TWO_PHASE_FROM);
}

/** Conditions on columns alone are counted from their own index. */
const count = (matches: Predicate, cardinalities: Cardinalities): Sql =>
  sql`select count(*) as total from event_search s where ${isInColumnIndex(matches) ? compileRecheck(matches) : compileIndexed(matches, cardinalities)}`;

const isInColumnIndex = (predicate: Predicate): boolean =>
  predicate.kind === 'row'
    ? predicate.index === 'composite' || predicate.index === 'in composite'
    : predicate.kind === 'all' && predicate.parts.every(isInColumnIndex);

/** Undefined unless bitmaps exist, few records are marked, and they are cheaper than counting. */
async function countOfBitmaps(
  snapshot: Queryable,
  matches: Predicate,
  cardinalities: Cardinalities,
): Promise<Sql | undefined> {
  const terms = bitmapTermsOf(matches);
  if (terms.length === 0) return undefined;
  const [state] = await snapshot.query<{ readonly tracked: string[]; readonly trusted: boolean }>(sql`
    select array(select term::text from bitmap where term = any(${[EVERY_TERM, ...terms]}::bigint[])) as tracked,
           (select count(*) from (select from bitmap_dirty limit ${MOST_DIRTY + 1}::int) d) <= ${MOST_DIRTY}::int as trusted`);
  return state?.trusted === true
    ? countedByBitmaps(matches, new Set(state.tracked.map(BigInt)), cardinalities)
    : undefined;
}

interface Walking {
  readonly cardinalities: Cardinalities;
  readonly walk: WalkBounds;
}

async function pageOf(
  snapshot: Queryable,
  search: CompiledSearch,
  total: number,
  walking: Walking,
): Promise<readonly FoundRow[]> {
  const { page } = search;
  const due = rowsDue(page, total);
  if (due === 0) return [];
  const near = nearRows(search, total, walking);
  if (near !== undefined) {
    const rows = await snapshot.query<FoundRow>(compileRows(near, page));
    if (rows.length === due) return rows;
  }
  return snapshot.query<FoundRow>(compilePage(compileMatches(search, walking.cardinalities), page));
}

/** After a cursor there may be fewer. */
const rowsDue = ({ after, limit, offset }: Page, total: number): number =>
  Math.max(0, Math.min(limit, after === undefined ? total - offset : total));

/** By one ordered index, or a short walk, which may end before the page is full. */
function nearRows(
  { matches, page }: CompiledSearch,
  total: number,
  { cardinalities: { records }, walk }: Walking,
): PageRows | undefined {
  const { order, offset, limit } = page;
  if (order.index === 'updated_at' && isSorted(matches)) return sortedRows(compileRecheck(matches), page);
  const expected = ((offset + limit) * records) / total;
  return order.index === undefined || expected > Math.max(total, walk.least)
    ? undefined
    : walkedRows(compileFilter(matches), page, Math.ceil(walk.least + walk.slack * expected));
}

/** One index has the records of one status and one type, newest first. */
function isSorted(predicate: Predicate): boolean {
  if (predicate.kind !== 'all' || predicate.parts.length !== 2) return false;
  const columns = predicate.parts.map((part) => (part.kind === 'row' ? part.sortedWithin : undefined));
  return columns.includes('status') && columns.includes('type');
}

/** Page and total agree (S-5): `reader` is a snapshot, or the plan is a single statement. */
export async function runSearch(reader: Queryable, { kind, search, cardinalities }: SearchPlan): Promise<Found> {
  return kind === 'single-statement'
    ? pageAndTotal(reader, search, cardinalities)
    : twoPhaseSearch(reader, search, cardinalities);
}
