import type { Query } from '../../../kernel/domain/search-request.js';
import { costOf } from '../plan/cost.js';
import type { SearchPlan } from '../plan/plan.js';

/**
 * light: finishes within milliseconds, judging by what it asks for and what it is expected to find. heavy: may take a
 * connection and a core for seconds. costly: asks for so much that the process itself works on it for a good part of a
 * second.
 */
export type Weight = 'light' | 'heavy' | 'costly';

/** In the unit of `costOf`: one term looked up in one field, some tenth of a millisecond. */
const MOST_LIGHT = 300;
const MOST_HEAVY = 3_000;

/** How many of each equal one unit: rechecking a document takes tens of microseconds, sorting a match a few. */
const DOCUMENTS = 10;
const MATCHES = 200;

/**
 * The width of a query, whatever is stored: how much is compiled, sent and looked up for it. `requireAffordable` yields
 * it for one that a caller has sent.
 */
export const widthOf = (query: Query): number => costOf(query).total;

/** The weight of a query by its width alone: if it is not light, it waits for its turn before its plan is made. */
export function weightOfWidth(width: number): Weight {
  if (width > MOST_HEAVY) return 'costly';
  return width > MOST_LIGHT ? 'heavy' : 'light';
}

/** The weight of a query that is heavy in any case. */
export const atLeastHeavy = (width: number): Exclude<Weight, 'light'> => (width > MOST_HEAVY ? 'costly' : 'heavy');

type Expected = Omit<SearchPlan, 'search' | 'cardinalities'>;

/** The weight of a search by width and expected matches together. */
export const weightOf = (width: number, plan: Expected): Weight => weightOfAll(width, [plan]);

/** The weight of several searches that run one after another, in one turn; `width` is that of all. */
export function weightOfAll(width: number, plans: readonly Expected[]): Weight {
  const byWidth = weightOfWidth(width);
  const work = plans.reduce((sum, { kind, matches, documents }) => {
    const ordered = kind === 'two-phase' ? 0 : matches;
    return sum + documents / DOCUMENTS + ordered / MATCHES;
  }, width);
  const sortsMany = plans.some((plan) => plan.sortsMany);
  return byWidth === 'light' && (sortsMany || work > MOST_LIGHT) ? 'heavy' : byWidth;
}
