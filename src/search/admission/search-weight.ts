import type { Query } from '../../domain/search-request.js';
import { costOf } from '../cost/cost.js';
import type { SearchPlan } from '../plan/plan.js';

/**
 * light: done within milliseconds, by what it asks for and what it is expected to find. heavy: it may take a connection
 * and a core for seconds. costly: it asks for so much that the process itself works on it for a good part of a second.
 */
export type Weight = 'light' | 'heavy' | 'costly';

/** In the unit of `costOf`: one term that is looked for in one field, some tenth of a millisecond. */
const MOST_LIGHT = 300;
const MOST_HEAVY = 3_000;

/** What one unit is as good as: a document is tried in tens of microseconds, a match is put in order in some. */
const DOCUMENTS = 10;
const MATCHES = 200;

/** How wide a query is, whatever is stored: how much is compiled, sent and looked up for it. */
export const widthOf = (query: Query): number => costOf(query).total;

/** The weight of a query by its width alone: what is not light then waits for its turn before its plan is made. */
export function weightOfWidth(width: number): Weight {
  if (width > MOST_HEAVY) return 'costly';
  return width > MOST_LIGHT ? 'heavy' : 'light';
}

/** The same of what is heavy in any case. */
export const atLeastHeavy = (width: number): Exclude<Weight, 'light'> => (width > MOST_HEAVY ? 'costly' : 'heavy');

/** The weight of a search by width and expected matches together. */
export function weightOf(
  width: number,
  { kind, matches, documents, sortsMany }: Omit<SearchPlan, 'search' | 'cardinalities'>,
): Weight {
  const byWidth = weightOfWidth(width);
  const ordered = kind === 'single-statement' ? matches : 0;
  const all = width + documents / DOCUMENTS + ordered / MATCHES;
  return byWidth === 'light' && (sortsMany || all > MOST_LIGHT) ? 'heavy' : byWidth;
}
