import type { Queryable } from '../../../platform/database/connection/queryable.js';
import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { bitmapTermsOf } from '../plan/bitmap-terms.js';
import { estimate } from '../plan/estimate.js';
import { compileRecheck } from '../predicate/compile-filter.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import { leavesOf, type Predicate } from '../predicate/predicate.js';
import { type CountedByBitmaps, countedByBitmaps } from '../statement/bitmap-total.js';
import { compileMatches } from '../statement/compile-matches.js';
import { compilePage, compileRows } from '../statement/page.js';
import { compileIndexed } from '../statement/render.js';
import type { Found, FoundRow } from './found.js';
import { nearRows, rowsDue, WALK_BOUNDS, type Walking } from './near-rows.js';
import { pageAndTotal } from './page-and-total.js';
import { areBitmapsTrusted, FURTHER_BITMAPS } from './trusted-bitmaps.js';

/** In expected matches, which exceed the actual ones. */
const MOST_IN_ONE_STATEMENT = 100_000;

/** In one snapshot (S-5): the exact total, then the page in the cheapest way for this total. */
export async function twoPhaseSearch(
  snapshot: Queryable,
  search: CompiledSearch,
  cardinalities: Cardinalities,
  walk: Walking = WALK_BOUNDS,
): Promise<Found> {
  const counted = await trustedBitmaps(snapshot, search.matches, cardinalities);
  if (counted === undefined && isOneStatementBetter(search, cardinalities))
    return pageAndTotal(snapshot, search, cardinalities);
  const total = await totalOf(
    snapshot,
    counted === undefined ? count(search.matches, cardinalities) : countOf(counted),
  );
  return { total, rows: await pageOf(snapshot, search, { total, counted }, { cardinalities, walk }) };
}

/** Matches found by terms must be fetched to be counted: the same statement sorts a moderate number. */
const isOneStatementBetter = ({ matches, page }: CompiledSearch, cardinalities: Cardinalities): boolean =>
  page.limit > 0 &&
  matches.isFindable &&
  leavesOf(matches).some(({ kind }) => kind === 'data') &&
  estimate(matches, cardinalities) <= MOST_IN_ONE_STATEMENT;

async function totalOf(snapshot: Queryable, statement: Sql): Promise<number> {
  const [row] = await snapshot.query<{ readonly total: string }>(statement);
  return Number(row?.total);
}

const countOf = ({ head, total }: CountedByBitmaps): Sql => sql`with ${head}
select ${total} as total`;

/** Conditions on columns alone are counted from their own index. */
const count = (matches: Predicate, cardinalities: Cardinalities): Sql =>
  sql`select count(*) as total from event_search s where ${isInColumnIndex(matches) ? compileRecheck(matches) : compileIndexed(matches, cardinalities)}`;

const isInColumnIndex = (predicate: Predicate): boolean =>
  predicate.kind === 'row'
    ? predicate.index === 'composite' || predicate.index === 'in composite'
    : predicate.kind === 'all' && predicate.parts.every(isInColumnIndex);

/** Undefined unless these exist, are trusted, and are cheaper than counting. */
async function trustedBitmaps(
  snapshot: Queryable,
  matches: Predicate,
  cardinalities: Cardinalities,
): Promise<CountedByBitmaps | undefined> {
  const { terms, proof } = bitmapTermsOf(matches);
  if (terms.length === 0) return undefined;
  const [state] = await snapshot.query<{ readonly tracked: string[]; readonly trusted: boolean }>(sql`
    select array(select term::text from bitmap where term = any(${[...FURTHER_BITMAPS, ...terms]}::bigint[])) as tracked,
           ${areBitmapsTrusted(proof)} as trusted`);
  return state?.trusted === true
    ? countedByBitmaps(matches, new Set(state.tracked.map(BigInt)), cardinalities)
    : undefined;
}

async function pageOf(
  snapshot: Queryable,
  search: CompiledSearch,
  { total, counted }: { readonly total: number; readonly counted: CountedByBitmaps | undefined },
  { cardinalities, walk }: { readonly cardinalities: Cardinalities; readonly walk: Walking },
): Promise<readonly FoundRow[]> {
  const { page } = search;
  if (rowsDue(page, total) === 0) return [];
  const exact = counted && { bitmaps: counted, exactTotal: sql`${total}::numeric` };
  const near = nearRows(search, { total, counted: exact }, cardinalities, walk);
  if (near !== undefined) {
    const rows = await snapshot.query<FoundRow>(compileRows(near.rows, page, counted?.head));
    if (near.isComplete || rows.length === rowsDue(page, total)) return rows;
  }
  return snapshot.query<FoundRow>(compilePage(compileMatches(search, cardinalities), page));
}
