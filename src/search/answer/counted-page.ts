import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../sql/sql.js';
import { bitmapTermsOf } from '../plan/bitmap-terms.js';
import type { SearchPlan } from '../plan/plan.js';
import { combinedProof } from '../predicate/proof.js';
import { compileCountedPage } from '../statement/page.js';
import type { Found, PageRow } from './found.js';
import { isFound } from './found.js';
import { nearRows, rowsDue, WALK_BOUNDS } from './near-rows.js';
import { areBitmapsTrusted, cheaperTotal, EVERY_TERM } from './trusted-bitmaps.js';

/**
 * Page and total of a search with many matches by one statement, where bitmaps count them and the page is found without
 * going through all of them. The statement checks what this process believes of the bitmaps. Undefined if they are not
 * as they were, are not trusted, or the walk to the page ended before it was full: `twoPhaseSearch` then answers.
 */
export async function countedPage(
  reader: Queryable,
  { search, cardinalities, matches: size }: SearchPlan,
  walk = WALK_BOUNDS,
): Promise<Found | undefined> {
  const { matches, page } = search;
  const near = page.limit === 0 ? { rows: undefined, isComplete: true } : nearRows(search, size, cardinalities, walk);
  if (near === undefined) return undefined;
  const { terms, proof } = bitmapTermsOf(matches);
  const tracked = new Set([EVERY_TERM, ...terms].filter((term) => cardinalities.tracked.has(term)));
  const counted = terms.length === 0 ? undefined : cheaperTotal(matches, tracked, cardinalities);
  if (counted === undefined) return undefined;
  const holds = sql`(select count(*) from facet where term = any(${[...tracked]}::bigint[])) = ${tracked.size}::int
    and ${areBitmapsTrusted(combinedProof([search.proof, proof]))}`;
  const found = await reader.query<PageRow>(
    compileCountedPage({ total: counted.statement, holds, rows: near.rows }, page),
  );
  const [first] = found;
  if (first === undefined || first.total === null) return undefined;
  const total = Number(first.total);
  const rows = found.filter(isFound);
  return near.isComplete || rows.length === rowsDue(page, total) ? { total, rows } : undefined;
}
