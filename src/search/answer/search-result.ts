import type { SortValues } from '../../domain/search-request.js';
import type { SearchPlan } from '../plan/plan.js';
import type { Page } from '../predicate/page.js';
import type { Found } from './found.js';

/** One page of a search, and how many records match in all. */
export interface SearchResult {
  readonly total: number;
  /** The records in order, each as the JSON text that was created when it was written (S-13). */
  readonly bodies: readonly string[];
  /** The sort values of the last record of the page, if there are more: the next page begins there (S-15). */
  readonly next: SortValues | undefined;
}

/** The plan for one row more than the page holds, which tells whether there is a next page. */
export const withOneMore = (plan: SearchPlan): SearchPlan =>
  plan.search.page.limit === 0 ? plan : withPage(plan, { limit: plan.search.page.limit + 1 });

/** The plan for another page of the same matches. */
export const withPage = (plan: SearchPlan, page: Partial<Page>): SearchPlan => ({
  ...plan,
  search: { ...plan.search, page: { ...plan.search.page, ...page } },
});

/** The page of `limit` records, from the result of `withOneMore`. */
export function resultOf({ total, rows }: Found, limit: number): SearchResult {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    total,
    bodies: rows.slice(0, limit).map(({ body }) => body),
    next: last && (JSON.parse(last.sort_values) as SortValues),
  };
}
