import type { RowFilter } from '../../access/caller.js';
import type { Cardinalities } from '../../derived/statistics/cardinalities.js';
import type { SearchRequest } from '../../domain/search-request.js';
import { compileSearch } from '../predicate/compile-search.js';
import type { SearchContext } from '../predicate/search-context.js';
import type { SearchPlan } from './plan.js';
import { planOf } from './plan.js';

/** What a search is planned with besides its request: for one caller, and as of now. */
export interface Setting {
  readonly context: SearchContext;
  readonly rowFilter: RowFilter;
  readonly cardinalities: Cardinalities;
}

/** The plan of a search in its setting. */
export const planIn = (request: SearchRequest, { context, rowFilter, cardinalities }: Setting): SearchPlan =>
  planOf(compileSearch(request, rowFilter, context), cardinalities);
