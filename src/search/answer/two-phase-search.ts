import type { Queryable } from '../../database/queryable.js';
import type { Cardinalities } from '../../derived/statistics/cardinalities.js';
import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';
import { bitmapTermsOf } from '../plan/bitmap-terms.js';
import { estimate } from '../plan/estimate.js';
import { compileFilter, compileRecheck } from '../predicate/compile-filter.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import { isFindable } from '../predicate/is-findable.js';
import type { Predicate } from '../predicate/predicate.js';
import { leavesOf } from '../predicate/predicate.js';
import { compileProof } from '../predicate/proof.js';
import type { BitmapTotal, Tracked } from '../statement/bitmap-total.js';
import { bitmapTotal } from '../statement/bitmap-total.js';
import { compileMatches } from '../statement/compile-matches.js';
import { compilePage, compileSortedPage, compileWalk } from '../statement/page.js';
import { compileIndexed } from '../statement/render.js';
import type { Found, FoundRow } from './found.js';
import { pageAndTotal } from './page-and-total.js';

/** More marked records than this are not checked one by one. */
const MOST_DIRTY = 10_000;

/** The cost of checking one record, in records that a count goes through. */
const LOOK_COST = 3;

/** In expected matches, which are rather more than the actual ones. */
const MOST_IN_ONE_STATEMENT = 100_000;

/** When to start a walk along an index, and when to abandon it: matches can be anywhere in the order. */
export interface WalkBounds {
  /** How many times further than expected it may go. */
  readonly slack: number;
  /** In rows, in addition to that. */
  readonly least: number;
}

const WALK_BOUNDS: WalkBounds = { slack: 4, least: 2_000 };

/**
 * A search with many matches, as two or more statements in one snapshot (S-5): the exact total in the cheapest way,
 * then the page in the way that is cheapest for this total.
 */
export async function twoPhaseSearch(
  snapshot: Queryable,
  search: CompiledSearch,
  cardinalities: Cardinalities,
  walk = WALK_BOUNDS,
): Promise<Found> {
  const counted = await trustedBitmapTotal(snapshot, search.matches, cardinalities);
  if (counted === undefined && isOneStatementBetter(search, cardinalities))
    return pageAndTotal(snapshot, search, cardinalities);
  const total = await totalOf(snapshot, counted?.statement ?? count(search.matches, cardinalities));
  return { total, rows: await pageOf(snapshot, search, total, { cardinalities, walk }) };
}

/** The same for fewer matches, if bitmaps count them; undefined if not. */
export async function bitmapSearch(
  snapshot: Queryable,
  search: CompiledSearch,
  cardinalities: Cardinalities,
): Promise<Found | undefined> {
  const counted = await trustedBitmapTotal(snapshot, search.matches, cardinalities);
  if (counted === undefined) return undefined;
  const total = await totalOf(snapshot, counted.statement);
  return { total, rows: await pageOf(snapshot, search, total, { cardinalities, walk: WALK_BOUNDS }) };
}

/** Matches found by terms must be fetched to be counted: a moderate number of them is sorted in the same statement. */
const isOneStatementBetter = ({ matches, page }: CompiledSearch, cardinalities: Cardinalities): boolean =>
  page.limit > 0 &&
  isFindable(matches) &&
  leavesOf(matches).some(({ kind }) => kind === 'data') &&
  estimate(matches, cardinalities) <= MOST_IN_ONE_STATEMENT;

async function totalOf(snapshot: Queryable, statement: Sql): Promise<number> {
  const [row] = await snapshot.query<{ readonly total: string }>(statement);
  return Number(row?.total);
}

/** Conditions on columns alone are counted from their own index without changes; the rest is counted by what drives. */
const count = (matches: Predicate, cardinalities: Cardinalities): Sql =>
  sql`select count(*) as total from event_search s where ${isInColumnIndex(matches) ? compileRecheck(matches) : compileIndexed(matches, cardinalities)}`;

const isInColumnIndex = (predicate: Predicate): boolean =>
  predicate.kind === 'row'
    ? predicate.index === 'composite' || predicate.index === 'in composite'
    : predicate.kind === 'all' && predicate.parts.every(isInColumnIndex);

/** The count from bitmaps, if they exist, are trusted, and are cheaper than counting. */
async function trustedBitmapTotal(
  snapshot: Queryable,
  matches: Predicate,
  cardinalities: Cardinalities,
): Promise<BitmapTotal | undefined> {
  const { terms, proof } = bitmapTermsOf(matches);
  if (terms.length === 0) return undefined;
  const [state] = await snapshot.query<{ tracked: string[]; every: boolean; dirty: string; proven: boolean }>(sql`
    select array(select term::text from facet where term = any(${terms}::bigint[])) as tracked,
           exists (select from facet where term = 0) as every,
           (select count(*) from (select from facet_dirty limit ${MOST_DIRTY + 1}::int) d) as dirty,
           ${compileProof(proof)} as proven`);
  if (state === undefined || !state.every || !state.proven || Number(state.dirty) > MOST_DIRTY) return undefined;
  const tracked: Tracked = new Set(state.tracked.map(BigInt));
  const found = bitmapTotal(matches, tracked, cardinalities);
  return found !== undefined && LOOK_COST * found.looks < estimate(matches, cardinalities) ? found : undefined;
}

async function pageOf(
  snapshot: Queryable,
  search: CompiledSearch,
  total: number,
  { cardinalities, walk }: { readonly cardinalities: Cardinalities; readonly walk: WalkBounds },
): Promise<readonly FoundRow[]> {
  const { matches, page } = search;
  const rest = page.after === undefined ? total - page.offset : total;
  if (page.limit === 0 || rest <= 0) return [];
  if (page.order.index === 'updated_at' && isSorted(matches)) {
    return snapshot.query<FoundRow>(compileSortedPage(compileRecheck(matches), page));
  }
  const expected = ((page.offset + page.limit) * cardinalities.records) / total;
  if (page.order.index !== undefined && expected < total) {
    const most = Math.ceil(walk.least + walk.slack * expected);
    const rows = await snapshot.query<FoundRow>(compileWalk(compileFilter(matches), page, most));
    if (rows.length === Math.min(page.limit, rest)) return rows;
  }
  return snapshot.query<FoundRow>(compilePage(compileMatches(search, cardinalities), page));
}

/** Whether one index has the matches in order: it has the records of one status and one type, newest first. */
function isSorted(predicate: Predicate): boolean {
  if (predicate.kind !== 'all' || predicate.parts.length !== 2) return false;
  const columns = predicate.parts.map((part) => (part.kind === 'row' ? part.sortedWithin : undefined));
  return columns.includes('status') && columns.includes('type');
}
