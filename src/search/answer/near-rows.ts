import type { Cardinalities } from '../../derived/statistics/cardinalities.js';
import { compileFilter, compileRecheck } from '../predicate/compile-filter.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import type { Order } from '../predicate/order/order.js';
import type { Page } from '../predicate/page.js';
import type { Predicate } from '../predicate/predicate.js';
import type { CountedByBitmaps } from '../statement/bitmap-total.js';
import type { PageRows, Probe } from '../statement/page.js';
import { sortedRows, walkedEntries, walkedRows } from '../statement/page.js';

/** When to start a walk along an index, and when to abandon it: matches can be anywhere in the order. */
export interface WalkBounds {
  /** How many times further than expected it may go. */
  readonly slack: number;
  /** In rows, in addition to that. */
  readonly least: number;
}

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

/**
 * By one index that has the matches in order, or by a walk along the order, if that is shorter; undefined if neither.
 * `counted`: the bitmaps by which the matches are counted, if they are, of which the statement has the head.
 */
export function nearRows(
  { matches, page }: CompiledSearch,
  { total, counted }: { readonly total: number; readonly counted: CountedByBitmaps | undefined },
  { records }: Cardinalities,
  walk: WalkBounds,
): NearRows | undefined {
  const { order } = page;
  if (order.index === 'updated_at' && isSorted(matches)) {
    return { rows: sortedRows(compileRecheck(matches), page), isComplete: true };
  }
  const expected = ((page.offset + page.limit) * records) / total;
  if (order.index === undefined || walk === NO_WALK || expected >= total) return undefined;
  const most = Math.ceil(walk.least + walk.slack * expected);
  return {
    rows:
      counted !== undefined && isCovered(order)
        ? walkedEntries(counted, page, most, probeOf(page, expected, walk))
        : walkedRows(compileFilter(matches), page, most),
    isComplete: false,
  };
}

/** With fewer matches to look for, the first quarter of a walk tells nothing. */
const TELLING = 60;

/**
 * The first quarter of what is expected, and a quarter of the matches that are expected there: where matches lie
 * together, further on, it has none. A short walk is not worth it.
 */
const probeOf = ({ offset, limit }: Page, expected: number, { least }: WalkBounds): Probe | undefined =>
  expected <= least || offset + limit < TELLING
    ? undefined
    : { entries: Math.ceil(expected / 4), matches: Math.floor((offset + limit) / 16) };

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
