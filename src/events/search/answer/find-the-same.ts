import { isDeepStrictEqual } from 'node:util';
import { type Steps, stepwise } from '../../../platform/queue/time-slice.js';
import { SearchTurn } from '../../index/near-words/search-turn.js';
import type { SearchPlan } from '../plan/plan.js';
import { compileMatches } from '../statement/compile-matches.js';

/**
 * Whether plans of the same searches look for the same: no word or kind of value that one alone knows matters to it.
 * Each statement is made in a turn of its own, the first not in that of the plans, which were made just now. Fails
 * with the signal's reason if it aborts first.
 */
export async function findTheSame(
  plans: readonly SearchPlan[],
  others: readonly SearchPlan[],
  signal: AbortSignal,
): Promise<boolean> {
  const turn = new SearchTurn(signal);
  await turn.next();
  return stepwise(comparing(plans, others), turn);
}

function* comparing(plans: readonly SearchPlan[], others: readonly SearchPlan[]): Steps<boolean> {
  for (const [at, plan] of plans.entries()) {
    const other = others[at];
    if (other !== undefined && !(yield* comparingTwo(plan, other))) return false;
  }
  return true;
}

/** Both by the same statistics, though some were read meanwhile: they change how a search looks, not for what. */
function* comparingTwo({ search, cardinalities }: SearchPlan, other: SearchPlan): Steps<boolean> {
  const statement = compileMatches(search, cardinalities).toQuery();
  yield;
  const otherStatement = compileMatches(other.search, cardinalities).toQuery();
  yield;
  return isDeepStrictEqual(statement, otherStatement);
}
