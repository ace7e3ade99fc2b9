import { MIB } from '../../../kernel/domain/bytes.js';
import type { SortValues } from '../../../kernel/domain/search-request.js';
import type { SearchPlan } from '../plan/plan.js';
import type { Page } from '../predicate/order.js';
import type { Found } from './found.js';

export interface SearchResult {
  readonly total: number;
  /** In order, as the JSON texts created when records were written (S-13). */
  readonly bodies: readonly string[];
  /** The last record's sort values; undefined on the last page (S-15). */
  readonly next: SortValues | undefined;
}

/** The further row tells whether there is a next page. */
export const withOneMore = (plan: SearchPlan): SearchPlan =>
  plan.search.page.limit === 0 ? plan : withPage(plan, { limit: plan.search.page.limit + 1 });

export const withPage = (plan: SearchPlan, page: Partial<Page>): SearchPlan => ({
  ...plan,
  search: { ...plan.search, page: { ...plan.search.page, ...page } },
});

/** Limits stored texts; the answer is about half as long. */
const MOST_HELD_BYTES = 16 * MIB;

/** A record that may exceed the limit has no text. */
export const heldWhole = (plan: SearchPlan): SearchPlan =>
  withPage(plan, { longest: Math.floor(MOST_HELD_BYTES / (plan.search.page.limit + 1)) });

export const isTooLarge = ({ bodies }: SearchResult): boolean => bodies.includes('');

/** Expects the result of `withOneMore`. */
export function resultOf({ total, rows }: Found, limit: number): SearchResult {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    total,
    bodies: rows.slice(0, limit).map(({ body }) => body),
    next: last && (JSON.parse(last.sort_values) as SortValues),
  };
}
