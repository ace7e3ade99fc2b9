import type { Cardinalities } from '../../derived/statistics/cardinalities.js';
import { isUncountable } from '../../derived/terms/term-hash.js';
import { absurd } from '../../errors/absurd.js';
import type { Sql } from '../../sql/sql.js';
import { estimate, likely } from '../plan/estimate.js';
import {
  allFound,
  anyFound,
  compileCandidateTerms,
  countGroups,
  either,
  isCostlyToRecheck,
  isFoundAsList as areTermsFoundAsList,
  onlyTerm,
  withCandidateTerms,
} from '../predicate/candidate-terms.js';
import type { CandidateTerms } from '../predicate/candidate-terms.js';
import { compileFilter } from '../predicate/compile-filter.js';
import type { DataLeaf } from '../predicate/data/data-leaf.js';
import { compileDataLeaf, compileLookUp } from '../predicate/data/data-leaf.js';
import type { Predicate, RowLeaf } from '../predicate/predicate.js';
import { leavesOf } from '../predicate/predicate.js';

/**
 * In an AND, using an index for a condition that is this many times as frequent as another saves less than reading the
 * index costs.
 */
const MUCH_MORE_FREQUENT = 20;

/** The same for a long list: comparing a row with it takes about four times as long as finding one of its rows. */
const MORE_FREQUENT = 4;

/** Comparing a row with so many groups of terms takes about as long as with a long list, and with more in proportion. */
const GROUPS_AS_LIST = 20;

/** Fewer records than this do not matter: reading them costs less than the choice can save. */
const FEW = 50;

/**
 * The condition as SQL whose matches an index finds as far as possible: the most selective condition of every AND
 * drives, together with those that are about as selective. The others are written so that no index uses them, since
 * reading the long posting list of a frequent one costs more than checking it on the rows that the selective one
 * leaves.
 */
export function compileIndexed(predicate: Predicate, cardinalities: Cardinalities): Sql {
  const term = predicate.kind === 'data' ? termToLookUp(predicate, cardinalities) : undefined;
  return predicate.kind === 'data' && term !== undefined
    ? compileLookUp(predicate, term)
    : compilePart(predicate, cardinalities);
}

/** A term that more than one record in this many has is worth a plan of its own. */
const WORTH_A_PLAN = 1_000;

/** The term of a condition that is found by a rare term alone and rechecked, such as a number in the declaration. */
function termToLookUp({ candidateTerms, rest }: DataLeaf, cardinalities: Cardinalities): bigint | undefined {
  const term = rest === undefined ? undefined : onlyTerm(candidateTerms);
  if (term === undefined || !isUncountable(term)) return undefined;
  return WORTH_A_PLAN * cardinalities.ofTerm(term) <= cardinalities.records ? term : undefined;
}

function compilePart(predicate: Predicate, cardinalities: Cardinalities): Sql {
  switch (predicate.kind) {
    case 'all':
      return compileAll(predicate.parts, cardinalities);
    case 'any':
      return predicate.isFindable ? compileAny(predicate.parts, cardinalities) : compileFilter(predicate);
    case 'not':
      return compileFilter(predicate);
    case 'row':
      return predicate.isIndexed
        ? predicate.condition
        : withCandidateTerms(predicate.candidateTerms, predicate.condition);
    case 'data':
      return compileDataLeaf(predicate);
    default:
      return absurd(predicate);
  }
}

/** Alternatives that consist only of terms are looked up together. */
function compileAny(parts: readonly Predicate[], cardinalities: Cardinalities): Sql {
  const { terms, others } = alternativesOf(parts);
  const conditions = others.map((part) => compilePart(part, cardinalities));
  const found = others.length === parts.length ? conditions : [compileCandidateTerms(terms), ...conditions];
  return anyFound(found, parts.some(isCostly));
}

const alternativesOf = (parts: readonly Predicate[]): { terms: CandidateTerms; others: readonly Predicate[] } => ({
  terms: either(parts.filter(isOfTermsAlone).map(({ candidateTerms }) => candidateTerms)),
  others: parts.filter((part) => !isOfTermsAlone(part)),
});

const isOfTermsAlone = (part: Predicate): part is DataLeaf => part.kind === 'data' && part.rest === undefined;

function compileAll(parts: readonly Predicate[], cardinalities: Cardinalities): Sql {
  const sizes = likely(cardinalities);
  const weighed = parts.map((part) => ({ part, size: estimate(part, sizes) }));
  const rarest = leastOf(weighed.filter(({ part }) => part.isFindable));
  const least = Math.max(rarest?.size ?? 0, FEW);
  return allFound(
    weighed.map(({ part, size }) => {
      const isList = isFoundAsList(part);
      const isDriver = part === rarest?.part;
      if (!isDriver && isInIndexOf(part, rarest?.part)) return { condition: part.condition, isList: false };
      if (!isDriver && isInTermsOf(part, rarest?.part))
        return { condition: compileCandidateTerms(part.candidateTerms), isList };
      const isFrequent = size > least * (isList ? timesMoreFrequent(part) : MUCH_MORE_FREQUENT);
      return isDriver || (part.isFindable && !isFrequent)
        ? { condition: compilePart(part, cardinalities), isList }
        : { condition: compileFilter(part), isList: false };
    }),
  );
}

const leastOf = <T extends { readonly size: number }>(weighed: readonly T[]): T | undefined =>
  weighed.reduce<T | undefined>(
    (least, one) => (least === undefined || one.size < least.size ? one : least),
    undefined,
  );

/**
 * Whether the index that finds the matches of `driver` can continue with the column of `part`, however frequent it is.
 */
const isInIndexOf = (part: Predicate, driver: Predicate | undefined): part is RowLeaf =>
  driver?.kind === 'row' &&
  driver.index === 'composite' &&
  part.kind === 'row' &&
  (part.index === 'composite' || part.index === 'in composite');

/**
 * Whether `part` is looked up together with `driver`, however frequent it is: the term index skips the records that
 * lack the rarer term.
 */
const isInTermsOf = (part: Predicate, driver: Predicate | undefined): part is RowLeaf =>
  driver !== undefined &&
  leavesOf(driver).every((leaf) => leaf.kind === 'data' || !leaf.isIndexed) &&
  part.kind === 'row' &&
  part.byTerms === true;

/** A list that finds more than so many times the records of the rarest condition is compared with those. */
function timesMoreFrequent(list: Predicate): number {
  const groups = leavesOf(list).reduce((sum, { candidateTerms }) => sum + countGroups(candidateTerms), 0);
  return MORE_FREQUENT * Math.max(1, groups / GROUPS_AS_LIST);
}

/** Whether it is found as a list of `seq`s. */
function isFoundAsList(part: Predicate): boolean {
  switch (part.kind) {
    case 'all':
      return isCostly(part);
    case 'any': {
      const { terms, others } = alternativesOf(part.parts);
      return others.length === 0 ? areTermsFoundAsList(terms) : isCostly(part);
    }
    case 'not':
      return false;
    case 'row':
      return !part.isIndexed && areTermsFoundAsList(part.candidateTerms);
    case 'data':
      return areTermsFoundAsList(part.candidateTerms);
    default:
      return absurd(part);
  }
}

/** Whether checking it on a row compares many terms. */
const isCostly = (predicate: Predicate): boolean =>
  leavesOf(predicate).some(({ candidateTerms }) => isCostlyToRecheck(candidateTerms));
