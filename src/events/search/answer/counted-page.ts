import { EVERY_TERM } from '../../index/bitmaps/bitmap.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { areSlicesWorthwhile } from '../plan/by-slices.js';
import { bitmapTermsOf } from '../plan/bitmap-terms.js';
import type { SearchPlan } from '../plan/plan.js';
import { combinedProof } from '../predicate/proof.js';
import { type CountedByBitmaps, countedByBitmaps } from '../statement/bitmap-total.js';
import { compileCountedPage, COUNTED_TOTAL } from '../statement/page.js';
import { unseen } from '../../../kernel/sql/unseen.js';
import type { Found, PageRow } from './found.js';
import { nearRows, rowsDue, WALK_BOUNDS } from './near-rows.js';
import { areBitmapsTrusted, FURTHER_BITMAPS } from './trusted-bitmaps.js';

interface KnownBitmaps {
  readonly counted: CountedByBitmaps;
  /** Whether the bitmaps exist and may count, in the statement's snapshot. */
  readonly holds: Sql;
}

/** Undefined if the bitmaps of the last statistics cannot count the matches. */
export function countedByKnownBitmaps({ search, cardinalities, matches }: SearchPlan): KnownBitmaps | undefined {
  const { terms, proof } = bitmapTermsOf(search.matches);
  if (terms.length === 0) return undefined;
  // Where a slice is missing, a walked page is counted without slices.
  const further = areSlicesWorthwhile(search.page, matches, cardinalities) ? FURTHER_BITMAPS : [EVERY_TERM];
  const tracked = new Set([...further, ...terms].filter((term) => cardinalities.tracked.has(term)));
  const counted = countedByBitmaps(search.matches, tracked, cardinalities);
  const { readBefore } = search;
  return (
    counted && {
      counted,
      holds: sql`(select count(*) from bitmap where term = any(${unseen(sql`${[...tracked]}::bigint[]`)}::bigint[])) = ${tracked.size}::int
    and ${areBitmapsTrusted(combinedProof(search.proof === undefined ? [proof] : [search.proof, proof]))}${readBefore === undefined ? sql`` : sql` and ${readBefore.unchanged}`}`,
    }
  );
}

/** `walked in vain`: the walk ended before the page was full. */
export type Unanswered = 'not counted' | 'walked in vain';

/**
 * One statement, if bitmaps count the matches and the page needs no full scan. It checks that the bitmaps are unchanged
 * and trusted.
 */
export async function countedPage(
  reader: Queryable,
  { search, cardinalities, matches }: SearchPlan,
  { counted, holds }: KnownBitmaps,
  walk = WALK_BOUNDS,
): Promise<Found | Unanswered> {
  const { page } = search;
  const near =
    page.limit === 0
      ? { rows: undefined, isComplete: true }
      : nearRows(
          search,
          { total: matches, counted: { bitmaps: counted, exactTotal: COUNTED_TOTAL } },
          cardinalities,
          walk,
        );
  if (near === undefined) return 'not counted';
  const found = await reader.query<PageRow>(compileCountedPage({ counted, holds, rows: near.rows }, page));
  const [first] = found;
  if (first === undefined || first.total === null) return 'not counted';
  const total = Number(first.total);
  const rows = found.filter((row) => row.body !== null);
  return near.isComplete || rows.length === rowsDue(page, total) ? { total, rows } : 'walked in vain';
}
