import type { Queryable } from '../../database/queryable.js';
import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';
import { bitmapTermsOf } from '../plan/bitmap-terms.js';
import type { SearchPlan } from '../plan/plan.js';
import { combinedProof } from '../predicate/proof.js';
import { compileCountedPage } from '../statement/page.js';
import type { Found, PageRow } from './found.js';
import { isFound } from './found.js';
import { nearRows, rowsDue, WALK_BOUNDS } from './near-rows.js';
import { areBitmapsTrusted, cheaperTotal, EVERY_TERM } from './trusted-bitmaps.js';

/** The total of a search by the bitmaps that this process believes to be there. */
interface KnownTotal {
  readonly total: Sql;
  /** Whether those bitmaps are there and may count, in the statement's snapshot. */
  readonly holds: Sql;
}

/** Undefined if the bitmaps that were there when statistics were last read cannot count what matches. */
export function totalByKnownBitmaps({ search, cardinalities }: SearchPlan): KnownTotal | undefined {
  const { terms, proof } = bitmapTermsOf(search.matches);
  if (terms.length === 0) return undefined;
  const tracked = new Set([EVERY_TERM, ...terms].filter((term) => cardinalities.tracked.has(term)));
  const counted = cheaperTotal(search.matches, tracked, cardinalities);
  return (
    counted && {
      total: counted.statement,
      holds: sql`(select count(*) from facet where term = any(${[...tracked]}::bigint[])) = ${tracked.size}::int
    and ${areBitmapsTrusted(combinedProof([search.proof, proof]))}`,
    }
  );
}

/**
 * Page and total of a search with many matches by one statement, where bitmaps count them and the page is found without
 * going through all of them. The statement checks what this process believes of the bitmaps. Undefined if they are not
 * as they were, are not trusted, or the walk to the page ended before it was full: `runInPhases` then answers.
 */
export async function countedPage(
  reader: Queryable,
  { search, cardinalities, matches }: SearchPlan,
  { total: bitmapTotal, holds }: KnownTotal,
  walk = WALK_BOUNDS,
): Promise<Found | undefined> {
  const { page } = search;
  const near =
    page.limit === 0 ? { rows: undefined, isComplete: true } : nearRows(search, matches, cardinalities, walk);
  if (near === undefined) return undefined;
  const found = await reader.query<PageRow>(compileCountedPage({ total: bitmapTotal, holds, rows: near.rows }, page));
  const [first] = found;
  if (first === undefined || first.total === null) return undefined;
  const total = Number(first.total);
  const rows = found.filter(isFound);
  return near.isComplete || rows.length === rowsDue(page, total) ? { total, rows } : undefined;
}
