import type { Sizes } from '../../derived/statistics/sizes.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import { isFindable } from '../predicate/is-findable.js';
import type { Predicate } from '../predicate/predicate.js';
import { estimate } from './estimate.js';

/** How a search is run, and what it rests on. */
export interface Plan {
  /** at once: one statement finds all matches. broad: total and page are found apart, by `broadSearch`. */
  readonly kind: 'at once' | 'broad';
  /** How many records match, or somewhat more. */
  readonly matches: number;
  /** Of how many records the document is looked at, about. */
  readonly documents: number;
  /** Whether many matches are put in an order that no index has. */
  readonly sortsMany: boolean;
}

/** With more matches than this, page and total are found apart. */
export const BROAD_FROM = 30_000;

export function planOf({ matches, page }: CompiledSearch, sizes: Sizes): Plan {
  const size = estimate(matches, sizes);
  const many = size > BROAD_FROM;
  const sorted = page.order.index === undefined && page.limit > 0;
  // Where all matches have to be found for their order, they are counted by the way.
  const broad = many && !sorted;
  return {
    kind: broad ? 'broad' : 'at once',
    matches: size,
    documents: documentsRead(matches, sizes),
    sortsMany: many && sorted,
  };
}

function documentsRead(predicate: Predicate, sizes: Sizes): number {
  switch (predicate.kind) {
    case 'all': {
      const findable = predicate.parts.filter(isFindable);
      const candidates = Math.min(sizes.records, ...findable.map((part) => estimate(part, sizes)));
      return Math.min(candidates, sum(predicate.parts.map((part) => documentsRead(part, sizes))));
    }
    case 'any':
      return sum(predicate.parts.map((part) => documentsRead(part, sizes)));
    case 'not':
      return documentsRead(predicate.part, sizes);
    case 'row':
      return 0;
    case 'data':
      return predicate.decides ? 0 : estimate(predicate, sizes);
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
