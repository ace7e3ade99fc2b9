import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import { isUncountable } from '../../index/terms/terms.js';
import type { CandidateTerms } from '../predicate/candidate-terms.js';
import type { ColumnCardinality, Predicate, RowLeaf } from '../predicate/predicate.js';

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
      return Math.min(cardinalities.records, total(predicate.parts.map((part) => estimate(part, cardinalities))));
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
        total(candidateTerms.parts.map((part) => cardinalityOfTerms(part, cardinalities))),
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
  return step * total(list.filter((_, at) => at % step === 0).map(sizeOf));
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
