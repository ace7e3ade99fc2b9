import type { Query } from '../../../kernel/domain/search-request.js';
import { invalidInput } from '../../../kernel/errors/faults.js';
import type { Guard } from '../request/guard.js';
import type { PlacedQuery } from '../request/refuse-secured.js';
import { costOf } from './cost.js';

/** `name` is that of a setting, or another that a caller knows. */
export interface CostBound {
  readonly most: number;
  readonly name: string;
}

/**
 * Before any work. Throws 400 BAD_REQUEST with one issue that names the costliest condition, its cost, the bound,
 * and a cheaper form. `path` is the query's position in the body. Returns the cost.
 */
export function requireAffordable(query: Query, bound: CostBound, path = 'query', guard?: Guard): number {
  return requireAffordableTogether([{ query, path }], bound, guard);
}

/** The queries of one request share the bound (S-17). Returns the sum. */
export function requireAffordableTogether(
  queries: readonly PlacedQuery[],
  { most, name }: CostBound,
  guard: Guard | undefined,
): number {
  const costs = queries.map(({ query, path }) => costOf(query, path, guard));
  const total = costs.reduce((sum, cost) => sum + cost.total, 0);
  if (total <= most) return total;
  const costliest = costs
    .flatMap((cost) => cost.costliest ?? [])
    .reduce((dearest, one) => (one.cost > dearest.cost ? one : dearest));
  const { path, cost, cheaper } = costliest;
  const whole = queries.length === 1 ? 'a query' : 'the queries of a request';
  throw invalidInput(
    `${path()}: costs ${cost} of ${total}, and ${whole} may cost ${most} in all (${name}): ${cheaper}`,
    { refusal: 'search-cost' },
  );
}
