import type { Uuid } from '../../../kernel/domain/uuid.js';
import { LOCATION_FIELDS, type LocationColumn } from '../searched-columns.js';
import type { Statistics } from '../statistics/cardinalities.js';
import { isUncountable } from '../terms/term-kind.js';
import type { Terms } from '../terms/terms.js';
import { EVERY_TERM } from './bitmap.js';

/** With fewer records a full scan is as fast. */
const FEWEST_RECORDS = 20_000;

/** Searches read each record of a rarer term. */
const LEAST_SHARE = 0.0005;
/** For an area in a column. */
const LEAST_SHARE_OF_PLACES = 0.05;

/** Existing bitmaps are kept down to this part of the share. */
const KEPT_FROM = 0.5;

/** 125 kB per million records, a tenth for a rare term. */
const MOST_TERMS = 4_000;

export interface WantedBitmap {
  readonly term: bigint;
  /** The records whose column is one of the places; absent: those that have the term. */
  readonly area?: { readonly column: LocationColumn; readonly places: readonly Uuid[] };
}

interface Choice {
  /** The most frequent first. */
  readonly wanted: readonly WantedBitmap[];
  readonly unwanted: readonly bigint[];
}

/**
 * `tracked`: the terms with a bitmap; `areas`: the places below each, the area included. A bitmap needs a countable
 * term, since others never decide.
 */
export function chooseBitmaps(
  statistics: Statistics,
  tracked: ReadonlySet<bigint>,
  terms: Terms,
  areas: Iterable<readonly Uuid[]>,
): Choice {
  // Without statistics every term would seem rare.
  if (statistics.records < FEWEST_RECORDS || statistics.terms.size === 0) return { wanted: [], unwanted: [] };
  const isFrequent = (term: bigint, share: number, least: number): boolean =>
    share >= (tracked.has(term) ? KEPT_FROM : 1) * least;
  const frequent = [...statistics.terms]
    .filter(([term, share]) => !isUncountable(term) && isFrequent(term, share, LEAST_SHARE))
    .toSorted(([, a], [, b]) => b - a)
    .map(([term]): WantedBitmap => ({ term }));
  const ofAreas = [...areas].flatMap((places) =>
    LOCATION_FIELDS.flatMap(({ column }): readonly WantedBitmap[] => {
      const shares = statistics.locations[column];
      const share = places.reduce((sum, place) => sum + (shares.get(place) ?? 0), 0);
      if (share < KEPT_FROM * LEAST_SHARE_OF_PLACES) return [];
      const term = terms.ofPlaces(column, places);
      return isFrequent(term, share, LEAST_SHARE_OF_PLACES) ? [{ term, area: { column, places } }] : [];
    }),
  );
  const all = [{ term: EVERY_TERM }, ...ofAreas, ...frequent.slice(0, MOST_TERMS - ofAreas.length)];
  const chosen = new Set(all.map(({ term }) => term));
  return {
    wanted: all.filter(({ term }) => !tracked.has(term)),
    unwanted: [...tracked].filter((term) => !chosen.has(term)),
  };
}
