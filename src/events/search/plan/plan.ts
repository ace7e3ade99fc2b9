import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import { leavesOf, type Predicate } from '../predicate/predicate.js';
import { areSlicesWorthwhile } from './by-slices.js';
import { estimate } from './estimate.js';

/** Planned once, and passed from admission to the answer. */
export interface SearchPlan {
  /**
   * single-statement: page and total together. two-phase: first the total, then the page (`twoPhaseSearch`).
   * bitmaps-first: one statement counts by bitmaps and walks to the page if possible; otherwise one finds all matches.
   */
  readonly kind: 'single-statement' | 'two-phase' | 'bitmaps-first';
  readonly search: CompiledSearch;
  /** Plan and statements must use the same ones. */
  readonly cardinalities: Cardinalities;
  /** An upper estimate. */
  readonly matches: number;
  readonly documents: number;
  /** True if no index has the order. */
  readonly sortsMany: boolean;
}

/** With more matches, page and total are found separately. */
export const TWO_PHASE_FROM = 30_000;

/** With fewer matches, one statement is as fast as further ones. */
const BITMAPS_FROM = 2_000;

export function planOf(search: CompiledSearch, cardinalities: Cardinalities): SearchPlan {
  const { matches, page } = search;
  const size = estimate(matches, cardinalities);
  const many = size > TWO_PHASE_FROM;
  const sorted = page.order.index === undefined && page.limit > 0;
  // Matches that must be sorted are counted in the same statement.
  const counted = many && !sorted;
  return {
    kind: counted
      ? 'two-phase'
      : mayBeCountedByBitmaps(search, size, cardinalities)
        ? 'bitmaps-first'
        : 'single-statement',
    search,
    cardinalities,
    matches: size,
    documents: documentsRead(matches, cardinalities),
    sortsMany: many && sorted,
  };
}

/** A walk by bitmaps that passes this many index entries for each match takes some 0.6 of the time of finding all. */
export const ENTRIES_FOR_A_MATCH = 3;

/**
 * Terms must decide every condition, and slices, or a walk of at most one entry for each match, must fill the page. The
 * statement checks again after counting.
 */
function mayBeCountedByBitmaps({ matches, page }: CompiledSearch, size: number, cardinalities: Cardinalities): boolean {
  const walked = ((page.offset + page.limit) * cardinalities.records) / size;
  return (
    page.order.index !== undefined &&
    size >= BITMAPS_FROM &&
    (walked <= size || areSlicesWorthwhile(page, size, cardinalities)) &&
    leavesOf(matches).every(({ decides, candidateTerms }) => decides && candidateTerms.kind !== 'none')
  );
}

function documentsRead(predicate: Predicate, cardinalities: Cardinalities): number {
  switch (predicate.kind) {
    case 'all': {
      const findable = predicate.parts.filter(({ isFindable }) => isFindable);
      const candidates = Math.min(cardinalities.records, ...findable.map((part) => estimate(part, cardinalities)));
      return Math.min(candidates, sum(predicate.parts.map((part) => documentsRead(part, cardinalities))));
    }
    case 'any':
      return sum(predicate.parts.map((part) => documentsRead(part, cardinalities)));
    case 'not':
      return documentsRead(predicate.part, cardinalities);
    case 'row':
      return 0;
    case 'data':
      return predicate.decides ? 0 : estimate(predicate, cardinalities);
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
