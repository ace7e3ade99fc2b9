import type { RowFilter } from '../../../kernel/domain/scopes/caller.js';
import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import { isUncountable } from '../../index/terms/terms.js';
import type { CandidateTerms } from '../predicate/candidate-terms.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import { type ColumnCardinality, leavesOf, type Predicate, type RowLeaf } from '../predicate/predicate.js';
import type { SearchContext } from '../predicate/search-context.js';

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

/** A longer list is only sampled. */
const MOST_LOOKED_UP = 64;

/**
 * An upper estimate. In an AND, each more frequent condition excludes less, since conditions correlate. The conditions
 * of an OR are assumed to be disjoint.
 */
export function estimate(predicate: Predicate, cardinalities: Cardinalities): number {
  switch (predicate.kind) {
    case 'all':
      return cardinalityOfAll(
        predicate.parts.map((part) => estimate(part, cardinalities)),
        cardinalities,
      );
    case 'any':
      return Math.min(cardinalities.records, sum(predicate.parts.map((part) => estimate(part, cardinalities))));
    case 'not':
      return cardinalities.records - estimate(predicate.part, cardinalities);
    case 'row':
      return cardinalityOfRowLeaf(predicate, cardinalities);
    case 'data':
      return cardinalityOfTerms(predicate.candidateTerms, cardinalities);
  }
}

/**
 * The most selective counts in full, the next by the square root of its selectivity, then the fourth root, and so on.
 */
function cardinalityOfAll(parts: readonly number[], { records }: Cardinalities): number {
  if (records === 0) return 0;
  const shares = parts.map((size) => Math.min(1, size / records)).toSorted((a, b) => a - b);
  return shares.reduce((size, share, at) => size * share ** (1 / 2 ** at), records);
}

function cardinalityOfRowLeaf({ cardinality, candidateTerms }: RowLeaf, cardinalities: Cardinalities): number {
  return cardinality === undefined
    ? cardinalityOfTerms(candidateTerms, cardinalities)
    : Math.min(cardinalities.records, cardinalityOfColumn(cardinality, cardinalities));
}

function cardinalityOfColumn(size: ColumnCardinality, cardinalities: Cardinalities): number {
  switch (size.by) {
    case 'rows':
      return size.rows;
    case 'locations':
      return cardinalities.ofLocations(size.column, size.ids);
    case 'instants':
      return cardinalities.ofInstants(size.column, size.fromMs, size.beforeMs);
  }
}

export function cardinalityOfTerms(candidateTerms: CandidateTerms, cardinalities: Cardinalities): number {
  switch (candidateTerms.kind) {
    case 'none':
      return cardinalities.records;
    case 'someOf':
      return Math.min(
        cardinalities.records,
        sampledTotal(candidateTerms.terms, (term) => cardinalities.ofTerm(term)),
      );
    case 'allOf':
      return Math.min(cardinalities.records, ...candidateTerms.terms.map((term) => cardinalities.ofTerm(term)));
    case 'someOfAll':
      return Math.min(
        cardinalities.records,
        sampledTotal(candidateTerms.groups, (group) => Math.min(...group.map((term) => cardinalities.ofTerm(term)))),
      );
    case 'both':
      return Math.min(
        cardinalities.records,
        ...candidateTerms.parts.map((part) => cardinalityOfTerms(part, cardinalities)),
      );
    case 'either':
      return Math.min(
        cardinalities.records,
        sum(candidateTerms.parts.map((part) => cardinalityOfTerms(part, cardinalities))),
      );
  }
}

/** For an uncountable term too rare to be known, such as an identity number. */
const USUAL = 5;

/** For choices of speed alone: unknown rare terms mostly have one or two records, and upper estimates add up. */
export const likely = (most: Cardinalities): Cardinalities => ({
  records: most.records,
  ofRareTerm: most.ofRareTerm,
  ofTerm: (term) => {
    const records = most.ofTerm(term);
    return isUncountable(term) && records <= most.ofRareTerm ? Math.min(records, USUAL) : records;
  },
  ofLocations: (column, ids) => most.ofLocations(column, ids),
  ofInstants: (column, fromMs, beforeMs) => most.ofInstants(column, fromMs, beforeMs),
});

/** A longer list is extrapolated from an even sample. */
function sampledTotal<T>(list: readonly T[], sizeOf: (one: T) => number): number {
  const step = Math.max(1, Math.ceil(list.length / MOST_LOOKED_UP));
  return step * sum(list.filter((_, at) => at % step === 0).map(sizeOf));
}
