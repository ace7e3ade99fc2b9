import { hasEverySlice } from '../../index/bitmaps/update-period.js';
import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import { isNewestFirst } from '../predicate/order.js';
import type { Page } from '../predicate/page.js';

/** With fewer than one match in this many records, finding all matches is as fast. */
const SPARSEST = 200;

/** A walk that passes fewer than one entry in this many is faster. */
const SHORT_WALK = 100;

/** A page with more than one match in this many is better found with all of them. */
const DEEPEST = 4;

/** Up to twice as many records are looked up; a walk finds a deeper page sooner. */
const MOST_LOOKED_UP = 1_000;

/**
 * Slices take the same time wherever matches lie; fetching one record in 170 takes twice as long in memory, four to
 * eleven times from disk. They require the usual order.
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

/** Assumes that matches are spread evenly. */
export const isShortWalk = ({ offset, limit }: Page, matches: number): boolean =>
  (offset + limit) * SHORT_WALK <= matches;
