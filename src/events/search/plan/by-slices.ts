import { hasEverySlice } from '../../index/bitmaps/update-period.js';
import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import { isNewestFirst } from '../predicate/order.js';
import type { Page } from '../predicate/page.js';

/** Where fewer than one record in so many match, all of them are found in the time that slices take. */
const SPARSEST = 200;

/** A walk that passes fewer than one entry in so many takes less than slices. */
const SHORT_WALK = 100;

/** A page with more than one in so many of the matches is better found with all of them. */
const DEEPEST = 4;

/** Up to twice as many records are looked up; a page further down is found sooner by a walk. */
const MOST_LOOKED_UP = 1_000;

/**
 * Whether the slices of updates lead to the page sooner than all that match are found. They take as long wherever the
 * matches are; to fetch one record in 170 takes twice as long in memory, and four to eleven times from a disk. They lead
 * to the newest matches, so the order must be the usual one.
 */
export function areSlicesWorthwhile(
  { order, after, offset, limit }: Page,
  matches: number,
  { records, tracked }: Pick<Cardinalities, 'records' | 'tracked'>,
): boolean {
  return (
    isNewestFirst(order) &&
    after === undefined &&
    matches * SPARSEST >= records &&
    offset + limit <= Math.min(matches / DEEPEST, MOST_LOOKED_UP) &&
    hasEverySlice(tracked)
  );
}

/** Whether a walk to the page is so short, if matches lie anywhere in the order, that slices need not be tried first. */
export const isShortWalk = ({ offset, limit }: Page, matches: number): boolean =>
  (offset + limit) * SHORT_WALK <= matches;
