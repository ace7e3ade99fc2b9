import type { Query } from '../../domain/search-request.js';
import { costOf } from '../cost/cost.js';
import type { SearchPlan } from '../plan/plan.js';

/**
 * light: done within milliseconds, by what it asks for and what it is expected to find. heavy: it may take a connection
 * and a core for seconds.
 */
export type Weight = 'light' | 'heavy';

/** In the unit of `costOf`: one term that is looked for in one field, some tenth of a millisecond. */
const MOST_LIGHT = 300;

/** What one unit is as good as: a document is tried in tens of microseconds, a match is put in order in some. */
const DOCUMENTS = 10;
const MATCHES = 200;

/** How wide a query is, whatever is stored: how much is compiled, sent and looked up for it. */
export const widthOf = (query: Query): number => costOf(query).total;

/** Whether a query is heavy by its width alone, so that not even its plan is made before its turn. */
export const isWide = (width: number): boolean => width > MOST_LIGHT;

/** The weight of a search by width and expected matches together. */
export function weightOf(
  width: number,
  { kind, matches, documents, sortsMany }: Omit<SearchPlan, 'search' | 'sizes'>,
): Weight {
  const ordered = kind === 'single-statement' ? matches : 0;
  return sortsMany || isWide(width + documents / DOCUMENTS + ordered / MATCHES) ? 'heavy' : 'light';
}
