import type { RowFilter } from '../../../kernel/domain/scopes/caller.js';
import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import { leavesOf, type Predicate } from '../predicate/predicate.js';
import type { SearchContext } from '../predicate/search-context.js';
import { estimate } from './estimate.js';

export interface Setting {
  readonly context: SearchContext;
  readonly rowFilter: RowFilter;
  readonly cardinalities: Cardinalities;
}

/** Planned once, and passed from admission to the answer. */
export interface SearchPlan {
  /** single-statement: page and total together. two-phase: first the total, then the page (`twoPhaseSearch`). */
  readonly kind: 'single-statement' | 'two-phase';
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

export function planOf(search: CompiledSearch, cardinalities: Cardinalities): SearchPlan {
  const { matches, page } = search;
  const size = estimate(matches, cardinalities);
  const many = size > TWO_PHASE_FROM;
  const sorted = page.order.index === undefined && page.limit > 0;
  return {
    // Matches that must be sorted are counted in the same statement.
    kind: !sorted && (many || mayBeCountedByBitmaps(search, size, cardinalities)) ? 'two-phase' : 'single-statement',
    search,
    cardinalities,
    matches: size,
    documents: documentsRead(matches, cardinalities),
    sortsMany: many && sorted,
  };
}

/** With fewer matches, one statement is as fast as several. */
const BITMAPS_FROM = 5_000;

/** If there are bitmaps, only the page is read: by a walk of at most one entry for each match. */
function mayBeCountedByBitmaps({ matches, page }: CompiledSearch, size: number, { records }: Cardinalities): boolean {
  return (
    size >= BITMAPS_FROM &&
    (page.offset + page.limit) * records <= size * size &&
    leavesOf(matches).every(
      (leaf) =>
        (leaf.kind === 'row' && leaf.bitmap !== undefined) || (leaf.decides && leaf.candidateTerms.kind !== 'none'),
    )
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
