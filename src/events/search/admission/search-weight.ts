import type { Query } from '../../../kernel/domain/search-request.js';
import { costOf } from '../plan/cost.js';
import type { SearchPlan } from '../plan/plan.js';

/** light: takes milliseconds. heavy: may take a connection and a core for seconds. */
export type Weight = 'light' | 'heavy';

/** In the unit of `costOf`, some tenth of a millisecond. */
const MOST_LIGHT = 300;

/** How many equal one unit: rechecking a document takes tens of microseconds, sorting a match a few. */
const DOCUMENTS = 10;
const MATCHES = 200;

/** The cost of compiling and sending a query, whatever is stored. */
export const widthOf = (query: Query): number => costOf(query).total;

/** A query that is not light waits for its turn before it is planned. */
export const weightOfWidth = (width: number): Weight => (width > MOST_LIGHT ? 'heavy' : 'light');

type Expected = Omit<SearchPlan, 'search' | 'cardinalities'>;

/** */
export const weightOf = (width: number, plan: Expected): Weight => weightOfAll(width, [plan]);

/** For searches that run one after another in one turn; `width` is their sum. */
export function weightOfAll(width: number, plans: readonly Expected[]): Weight {
  const work = plans.reduce((sum, { kind, matches, documents }) => {
    const ordered = kind === 'two-phase' ? 0 : matches;
    return sum + documents / DOCUMENTS + ordered / MATCHES;
  }, width);
  return plans.some(({ sortsMany }) => sortsMany) ? 'heavy' : weightOfWidth(work);
}
