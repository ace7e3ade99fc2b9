import type { Sizes } from '../../derived/statistics/sizes.js';
import { absurd } from '../../errors/absurd.js';
import type { Sql } from '../../sql/sql.js';
import { all } from '../../sql/sql.js';
import { estimate } from '../plan/estimate.js';
import { compileFilter } from '../predicate/compile-filter.js';
import type { DataLeaf } from '../predicate/data/data-leaf.js';
import { compileDataLeaf } from '../predicate/data/data-leaf.js';
import { hasIndex, isFindable } from '../predicate/is-findable.js';
import { anyFound, compileNarrowing, either, isDearToTry, narrowed } from '../predicate/narrowing.js';
import type { Predicate, RowLeaf } from '../predicate/predicate.js';
import { leavesOf } from '../predicate/predicate.js';

/** Of two conditions of an AND, the one that is so many times as frequent spares an index nothing worth its reading. */
const MUCH_MORE_FREQUENT = 20;

/** Fewer records than this are as good as none: reading them costs less than what is weighed. */
const FEW = 50;

/**
 * The condition as SQL whose matches an index finds, as far as one can: the rarest condition of every AND drives, with
 * those that are about as rare; the others are written so that no index takes them, since reading the long list of a
 * frequent one costs more than trying it on the rows that the rare one leaves.
 */
export function compileIndexed(predicate: Predicate, sizes: Sizes): Sql {
  switch (predicate.kind) {
    case 'all':
      return compileAll(predicate.parts, sizes);
    case 'any':
      return isFindable(predicate) ? compileAny(predicate.parts, sizes) : compileFilter(predicate);
    case 'not':
      return compileFilter(predicate);
    case 'row':
      return hasIndex(predicate) ? predicate.condition : narrowed(predicate.narrowing, predicate.condition);
    case 'data':
      return compileDataLeaf(predicate);
    default:
      return absurd(predicate);
  }
}

/** Alternatives that are nothing but terms are looked up together. */
function compileAny(parts: readonly Predicate[], sizes: Sizes): Sql {
  const others = parts.filter((part) => !isOfTermsAlone(part));
  const terms = either(parts.filter(isOfTermsAlone).map(({ narrowing }) => narrowing));
  const conditions = others.map((part) => compileIndexed(part, sizes));
  const found = others.length === parts.length ? conditions : [compileNarrowing(terms), ...conditions];
  // What indexes find by themselves is not tried on rows.
  return anyFound(found, !others.every(isIndexAlone) && parts.some(isDear));
}

const isIndexAlone = (part: Predicate): boolean => isOfTermsAlone(part) || (part.kind === 'row' && hasIndex(part));

const isOfTermsAlone = (part: Predicate): part is DataLeaf => part.kind === 'data' && part.rest === undefined;

function compileAll(parts: readonly Predicate[], sizes: Sizes): Sql {
  const weighed = parts.map((part) => ({ part, size: estimate(part, sizes), findable: isFindable(part) }));
  const rarest = leastOf(weighed.filter(({ findable }) => findable));
  const most = MUCH_MORE_FREQUENT * Math.max(rarest?.size ?? 0, FEW);
  return all(
    weighed.map(({ part, size, findable }) => {
      if (part !== rarest?.part && isInIndexOf(part, rarest?.part)) return part.condition;
      if (part !== rarest?.part && isInTermsOf(part, rarest?.part)) return compileNarrowing(part.narrowing);
      return findable && size <= most ? compileIndexed(part, sizes) : compileFilter(part);
    }),
  );
}

const leastOf = <T extends { readonly size: number }>(weighed: readonly T[]): T | undefined =>
  weighed.reduce<T | undefined>(
    (least, one) => (least === undefined || one.size < least.size ? one : least),
    undefined,
  );

/** Whether the index that finds the matches of `driver` can go on with the column of `part`, however frequent it is. */
const isInIndexOf = (part: Predicate, driver: Predicate | undefined): part is RowLeaf =>
  driver?.kind === 'row' &&
  driver.index === 'facets' &&
  part.kind === 'row' &&
  (part.index === 'facets' || part.index === 'with others');

/** Whether `part` is looked up with `driver`, however frequent it is: the index of terms skips what the rarer have not. */
const isInTermsOf = (part: Predicate, driver: Predicate | undefined): part is RowLeaf =>
  driver !== undefined &&
  leavesOf(driver).every((leaf) => leaf.kind === 'data' || !hasIndex(leaf)) &&
  part.kind === 'row' &&
  part.byTerms === true;

/** Whether to try it on a row compares many terms. */
const isDear = (predicate: Predicate): boolean => leavesOf(predicate).some(({ narrowing }) => isDearToTry(narrowing));
