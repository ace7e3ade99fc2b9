import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import type { Sql } from '../../../kernel/sql/sql.js';
import { areSlicesWorthwhile, isShortWalk } from '../plan/by-slices.js';
import { ENTRIES_FOR_A_MATCH } from '../plan/plan.js';
import { compileFilter, compileRecheck } from '../predicate/compile-filter.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import { isCovered } from '../predicate/order.js';
import type { Page } from '../predicate/page.js';
import type { Predicate } from '../predicate/predicate.js';
import type { CountedByBitmaps } from '../statement/bitmap-total.js';
import { newestRows, walkedOrNewest } from '../statement/newest.js';
import { type PageRows, sortedRows } from '../statement/page.js';
import { type WalkBounds, walkedEntries, walkedRows } from '../statement/walk.js';

export const WALK_BOUNDS: WalkBounds = { slack: 4, least: 2_000 };

export type Walking = WalkBounds | 'in vain';

interface NearRows {
  readonly rows: PageRows;
  /** False if a walk may end before the page is full. */
  readonly isComplete: boolean;
}

interface Counted {
  readonly bitmaps: CountedByBitmaps;
  readonly exactTotal: Sql;
}

/** By one ordered index, a short walk, or the slices of updates; else undefined. `total` may be approximate. */
export function nearRows(
  { matches, page }: CompiledSearch,
  { total, counted }: { readonly total: number; readonly counted: Counted | undefined },
  cardinalities: Cardinalities,
  walk: Walking,
): NearRows | undefined {
  const { order } = page;
  if (order.index === 'updated_at' && isSorted(matches)) {
    return { rows: sortedRows(compileRecheck(matches), page), isComplete: true };
  }
  if (order.index === undefined || walk === 'in vain') return undefined;
  const { records } = cardinalities;
  const expected = ((page.offset + page.limit) * records) / total;
  if (counted !== undefined && isCovered(order)) {
    const { bitmaps, exactTotal } = counted;
    const known = { records, total: exactTotal, bounds: walk };
    if (bitmaps.hasSlices && areSlicesWorthwhile(page, total, cardinalities)) {
      const rows = isShortWalk(page, total) ? walkedOrNewest : newestRows;
      return { rows: rows(bitmaps, page, known), isComplete: false };
    }
    if (expected > Math.max(ENTRIES_FOR_A_MATCH * total, walk.least)) return undefined;
    return { rows: walkedEntries(bitmaps, page, known), isComplete: false };
  }
  if (expected > Math.max(total, walk.least)) return undefined;
  const most = Math.ceil(walk.least + walk.slack * expected);
  return { rows: walkedRows(compileFilter(matches), page, most), isComplete: false };
}

/** After a cursor there may be fewer. */
export const rowsDue = ({ after, limit, offset }: Page, total: number): number =>
  Math.max(0, Math.min(limit, after === undefined ? total - offset : total));

/** One index has the records of one status and one type, newest first. */
function isSorted(predicate: Predicate): boolean {
  if (predicate.kind !== 'all' || predicate.parts.length !== 2) return false;
  const columns = predicate.parts.map((part) => (part.kind === 'row' ? part.sortedWithin : undefined));
  return columns.includes('status') && columns.includes('type');
}
