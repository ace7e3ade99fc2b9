import type { Sizes } from '../../derived/statistics/sizes.js';
import type { Narrowing } from '../predicate/narrowing.js';
import type { ColumnSize, Predicate, RowLeaf } from '../predicate/predicate.js';

/** Of a list that is longer, some are looked up. */
const MOST_LOOKED_UP = 64;

/**
 * How many records match, rather more than fewer: of the conditions of an AND, each that is more frequent than the one
 * before it is taken to leave less of it out, as conditions on the same record hold together more often than by chance.
 * Those of an OR are taken to hold for different records.
 */
export function estimate(predicate: Predicate, sizes: Sizes): number {
  switch (predicate.kind) {
    case 'all':
      return sizeOfAll(
        predicate.parts.map((part) => estimate(part, sizes)),
        sizes,
      );
    case 'any':
      return Math.min(sizes.records, total(predicate.parts.map((part) => estimate(part, sizes))));
    case 'not':
      return sizes.records - estimate(predicate.part, sizes);
    case 'row':
      return sizeOfRowLeaf(predicate, sizes);
    case 'data':
      return sizeOfNarrowing(predicate.narrowing, sizes);
  }
}

/** The rarest counts in full, the next by the square root of its share, the one after by the fourth root, and so on. */
function sizeOfAll(parts: readonly number[], { records }: Sizes): number {
  if (records === 0) return 0;
  const shares = parts.map((size) => Math.min(1, size / records)).toSorted((a, b) => a - b);
  return shares.reduce((size, share, at) => size * share ** (1 / 2 ** at), records);
}

function sizeOfRowLeaf({ size, narrowing }: RowLeaf, sizes: Sizes): number {
  return size === undefined ? sizeOfNarrowing(narrowing, sizes) : Math.min(sizes.records, sizeOfColumn(size, sizes));
}

function sizeOfColumn(size: ColumnSize, sizes: Sizes): number {
  switch (size.by) {
    case 'rows':
      return size.rows;
    case 'locations':
      return sizes.ofLocations(size.column, size.ids);
    case 'instants':
      return sizes.ofInstants(size.column, size.fromMs, size.beforeMs);
  }
}

/** How many records have the terms, rather more than fewer. */
export function sizeOfNarrowing(narrowing: Narrowing, sizes: Sizes): number {
  switch (narrowing.kind) {
    case 'none':
      return sizes.records;
    case 'someOf':
      return Math.min(sizes.records, sizeOfTerms(narrowing.terms, sizes));
    case 'allOf':
      return Math.min(sizes.records, ...narrowing.terms.map((term) => sizes.ofTerm(term)));
    case 'someOfAll':
      return Math.min(sizes.records, sizeOfGroups(narrowing.groups, sizes));
    case 'both':
      return Math.min(sizes.records, ...narrowing.parts.map((part) => sizeOfNarrowing(part, sizes)));
    case 'either':
      return Math.min(sizes.records, total(narrowing.parts.map((part) => sizeOfNarrowing(part, sizes))));
  }
}

function sizeOfTerms(terms: readonly bigint[], sizes: Sizes): number {
  const step = Math.max(1, Math.ceil(terms.length / MOST_LOOKED_UP));
  return step * total(terms.filter((_, at) => at % step === 0).map((term) => sizes.ofTerm(term)));
}

function sizeOfGroups(groups: readonly (readonly bigint[])[], sizes: Sizes): number {
  const step = Math.max(1, Math.ceil(groups.length / MOST_LOOKED_UP));
  const sample = groups.filter((_, at) => at % step === 0);
  return step * total(sample.map((group) => Math.min(...group.map((term) => sizes.ofTerm(term)))));
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
