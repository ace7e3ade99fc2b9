import { MIB } from '../../../kernel/domain/bytes.js';
import type { SortValues } from '../../../kernel/domain/search-request.js';
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

/** Of the stored texts of a page: about half of each is the answer. */
const MOST_HELD_BYTES = 16 * MIB;

/** The plan for a page that is held whole: a record so large that the page may be too has no text. */
export const heldWhole = (plan: SearchPlan): SearchPlan =>
  withPage(plan, { longest: Math.floor(MOST_HELD_BYTES / (plan.search.page.limit + 1)) });

/** Whether the page of `heldWhole` lacks such a record. */
export const isTooLarge = ({ bodies }: SearchResult): boolean => bodies.includes('');

/** The page of `limit` records, from the result of `withOneMore`. */
export function resultOf({ total, rows }: Found, limit: number): SearchResult {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    total,
    bodies: rows.slice(0, limit).map(({ body }) => body),
    next: last && (JSON.parse(last.sort_values) as SortValues),
  };
}
