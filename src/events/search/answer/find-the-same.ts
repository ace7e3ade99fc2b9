import { isDeepStrictEqual } from 'node:util';
import { type Steps, stepwise } from '../../../platform/queue/time-slice.js';
import { SearchTurn } from '../../index/near-words/search-turn.js';
import type { SearchPlan } from '../plan/plan.js';
import { compileMatches } from '../statement/compile-matches.js';

/** True if no newer word or kind of value matters. Each statement has its own turn. */
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

/** Both use the same statistics: these change how a search looks, not for what. */
function* comparingTwo({ search, cardinalities }: SearchPlan, other: SearchPlan): Steps<boolean> {
  const statement = compileMatches(search, cardinalities).toQuery();
  yield;
  const otherStatement = compileMatches(other.search, cardinalities).toQuery();
  yield;
  return isDeepStrictEqual(statement, otherStatement);
}
