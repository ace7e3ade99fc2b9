import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import { isUncountable } from '../../index/terms/terms.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import type { Sql } from '../../../kernel/sql/sql.js';
import { estimate, likely } from '../plan/estimate.js';
import {
  allFound,
  anyFound,
  compileLookUp,
  countGroups,
  type DataLeaf,
  either,
  foundBy,
  foundByLeaf,
  foundByTerms,
  isCostlyToRecheck,
  onlyTerm,
  type RowSource,
  withCandidateTerms,
} from '../predicate/candidate-terms.js';
import { compileFilter } from '../predicate/compile-filter.js';
import { leavesOf, type Predicate, type RowLeaf } from '../predicate/predicate.js';

/** In an AND, an index for a condition this many times as frequent as another does not pay. */
const MUCH_MORE_FREQUENT = 20;

/** For a long list: comparing a row with it takes about four times as long as finding one. */
const MORE_FREQUENT = 4;

/**
 * PostgreSQL decides how a condition this many times as frequent as a list is compared. A list may be far shorter than
 * estimated.
 */
const MORE_THAN_LISTED = 2;

/** Comparing a row with this many groups takes as long as with a long list. */
const GROUPS_AS_LIST = 20;

/** Reading fewer records costs less than the choice can save. */
const FEW = 50;

/**
 * The most selective condition of every AND drives, together with those about as selective. No index serves the others:
 * reading a long posting list costs more than checking the remaining rows.
 */
export function compileIndexed(predicate: Predicate, cardinalities: Cardinalities): Sql {
  const term = predicate.kind === 'data' ? termToLookUp(predicate, cardinalities) : undefined;
  return predicate.kind === 'data' && term !== undefined
    ? compileLookUp(predicate, term)
    : foundByPart(predicate, cardinalities).condition;
}

/** More frequent terms, one record in this many, are worth a plan of their own. */
const WORTH_A_PLAN = 1_000;

/** For a condition that one rare term finds and a recheck decides, such as a number. */
function termToLookUp({ candidateTerms, rest }: DataLeaf, cardinalities: Cardinalities): bigint | undefined {
  const term = rest === undefined ? undefined : onlyTerm(candidateTerms);
  if (term === undefined || !isUncountable(term)) return undefined;
  return WORTH_A_PLAN * cardinalities.ofTerm(term) <= cardinalities.records ? term : undefined;
}

function foundByPart(predicate: Predicate, cardinalities: Cardinalities): RowSource {
  switch (predicate.kind) {
    case 'all':
      return foundByAll(predicate.parts, cardinalities);
    case 'any':
      return predicate.isFindable ? foundByAny(predicate.parts, cardinalities) : foundBy(compileFilter(predicate));
    case 'not':
      return foundBy(compileFilter(predicate));
    case 'row':
      return predicate.isIndexed
        ? foundBy(predicate.condition)
        : withCandidateTerms(predicate.candidateTerms, predicate.condition);
    case 'data':
      return foundByLeaf(predicate);
    default:
      return absurd(predicate);
  }
}

/** Alternatives of terms alone are looked up together. */
function foundByAny(parts: readonly Predicate[], cardinalities: Cardinalities): RowSource {
  const ofTerms = parts.filter(isOfTermsAlone);
  const others = parts.filter((part) => !isOfTermsAlone(part)).map((part) => foundByPart(part, cardinalities));
  if (ofTerms.length === 0) return anyFound(others, parts.some(isCostly));
  const together = foundByTerms(either(ofTerms.map(({ candidateTerms }) => candidateTerms)));
  return others.length === 0 ? together : anyFound([together, ...others], parts.some(isCostly));
}

const isOfTermsAlone = (part: Predicate): part is DataLeaf => part.kind === 'data' && part.rest === undefined;

interface Weighed {
  readonly part: Predicate;
  readonly size: number;
}

function foundByAll(parts: readonly Predicate[], cardinalities: Cardinalities): RowSource {
  const sizes = likely(cardinalities);
  const weighed = parts.map((part): Weighed => ({ part, size: estimate(part, sizes) }));
  const driver = leastOf(weighed.filter(({ part }) => part.isFindable));
  const least = Math.max(driver?.size ?? 0, FEW);
  const narrows = (one: Weighed, times: number): boolean => one === driver || one.size <= times * least;
  // Too frequent conditions are not compiled: otherwise a tree is compiled once for each level.
  const found = weighed.map((one) => {
    const { part } = one;
    const most = Math.max(MUCH_MORE_FREQUENT, timesMoreFrequent(part));
    const source = part.isFindable && narrows(one, most) ? foundByPart(part, cardinalities) : undefined;
    const isWorth = narrows(one, source?.kind === 'list' ? timesMoreFrequent(part) : MUCH_MORE_FREQUENT);
    return {
      ...one,
      source: isWorth ? source : undefined,
      together: one === driver ? undefined : foundWith(part, driver?.part),
    };
  });
  const shortest = leastOf(found.filter(({ source }) => source?.kind === 'list'));
  return allFound(
    found.map(({ part, size, source, together }) => {
      if (together !== undefined) return together;
      if (source === undefined) return foundBy(compileFilter(part));
      return shortest !== undefined && size > MORE_THAN_LISTED * shortest.size && source.kind === 'condition'
        ? foundBy(source.condition)
        : source;
    }),
  );
}

const leastOf = <T extends { readonly size: number }>(weighed: readonly T[]): T | undefined =>
  weighed.reduce<T | undefined>(
    (least, one) => (least === undefined || one.size < least.size ? one : least),
    undefined,
  );

/** Defined where the index of `driver` also finds the matches of `part`, however frequent. */
const foundWith = (part: Predicate, driver: Predicate | undefined): RowSource | undefined =>
  part.kind === 'row' && driver !== undefined && isInIndexOf(part, driver) ? foundBy(part.condition) : undefined;

const isInIndexOf = (part: RowLeaf, driver: Predicate): boolean =>
  driver.kind === 'row' &&
  driver.index === 'composite' &&
  (part.index === 'composite' || part.index === 'in composite');

/** A list this many times as frequent as the rarest condition is compared with its records. */
function timesMoreFrequent(list: Predicate): number {
  const groups = leavesOf(list).reduce((sum, { candidateTerms }) => sum + countGroups(candidateTerms), 0);
  return MORE_FREQUENT * Math.max(1, groups / GROUPS_AS_LIST);
}

/** Checking a row compares many terms. */
const isCostly = (predicate: Predicate): boolean =>
  leavesOf(predicate).some(({ candidateTerms }) => isCostlyToRecheck(candidateTerms));
