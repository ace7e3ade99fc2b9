import type { Cardinalities } from '../../derived/statistics/cardinalities.js';
import { compileFilter, compileRecheck } from '../predicate/compile-filter.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import type { Order } from '../predicate/order/order.js';
import type { Sql } from '../../sql/sql.js';
import type { Page } from '../predicate/page.js';
import type { Predicate } from '../predicate/predicate.js';
import type { CountedByBitmaps } from '../statement/bitmap-total.js';
import type { PageRows } from '../statement/page.js';
import { sortedRows } from '../statement/page.js';
import type { WalkBounds } from '../statement/walk.js';
import { walkedEntries, walkedRows } from '../statement/walk.js';

/** How far a walk along an index may go before the page is found in another way. */
export const WALK_BOUNDS: WalkBounds = { slack: 4, least: 2_000 };

/** Where one has just been in vain. */
export const NO_WALK: WalkBounds = { slack: 0, least: 0 };

/** The rows of a page that are found without going through all matches. */
interface NearRows {
  readonly rows: PageRows;
  /** Whether they are always the whole page: a walk may end before it is full. */
  readonly isComplete: boolean;
}

interface Counted {
  readonly bitmaps: CountedByBitmaps;
  readonly total: Sql;
}

/**
 * By one index that has the matches in order, or by a walk along the order, if that is shorter; undefined if neither.
 * `total`: of the matches, or about. `counted`: the bitmaps by which they are counted, if they are, of which the
 * statement has the head, and the exact total there.
 */
export function nearRows(
  { matches, page }: CompiledSearch,
  { total, counted }: { readonly total: number; readonly counted: Counted | undefined },
  { records }: Cardinalities,
  walk: WalkBounds,
): NearRows | undefined {
  const { order } = page;
  if (order.index === 'updated_at' && isSorted(matches)) {
    return { rows: sortedRows(compileRecheck(matches), page), isComplete: true };
  }
  const expected = ((page.offset + page.limit) * records) / total;
  if (order.index === undefined || walk === NO_WALK || expected > Math.max(total, walk.least)) return undefined;
  return {
    rows:
      counted !== undefined && isCovered(order)
        ? walkedEntries(counted.bitmaps, page, { records, total: counted.total, bounds: walk })
        : walkedRows(compileFilter(matches), page, Math.ceil(walk.least + walk.slack * expected)),
    isComplete: false,
  };
}

/** How many rows a full page has; after a cursor there may be fewer. */
export const rowsDue = ({ after, limit, offset }: Page, total: number): number =>
  Math.max(0, Math.min(limit, after === undefined ? total - offset : total));

/** Whether an index has all that this order needs, and the `seq` of each record: no row is read to follow it. */
const isCovered = ({ index, columns }: Order): boolean => index === 'updated_at' && columns.length === 2;

/** Whether one index has the matches in order: it has the records of one status and one type, newest first. */
function isSorted(predicate: Predicate): boolean {
  if (predicate.kind !== 'all' || predicate.parts.length !== 2) return false;
  const columns = predicate.parts.map((part) => (part.kind === 'row' ? part.sortedWithin : undefined));
  return columns.includes('status') && columns.includes('type');
}
