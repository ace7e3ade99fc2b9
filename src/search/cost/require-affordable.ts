import type { Query } from '../../domain/search-request.js';
import { INVALID_INPUT } from '../../errors/faults.js';
import { ServiceError } from '../../errors/service-error.js';
import type { Guard } from '../request/guard.js';
import { costOf } from './cost.js';

/** The maximum cost of a query and where it comes from: the name of a setting, or another name that a caller knows. */
export interface CostBound {
  readonly most: number;
  readonly name: string;
}

/**
 * Refuses a query that would cost more than the bound, before any work is done: 400 BAD_REQUEST with one issue
 * that names the costliest condition by its path, its cost, the bound, and what would make it cheaper. What is
 * permitted depends on the request alone. `path` is the position of the query in its body, such as `hub.query`.
 */
export function requireAffordable(query: Query, { most, name }: CostBound, path = 'query', guard?: Guard): void {
  const { total, costliest } = costOf(query, path, guard);
  if (total <= most || costliest === undefined) return;
  const { path: clause, cost, cheaper } = costliest;
  throw new ServiceError('BAD_REQUEST', INVALID_INPUT, {
    issues: [
      { message: `${clause}: costs ${cost} of ${total}, and a query may cost ${most} in all (${name}): ${cheaper}` },
    ],
    refusal: 'search-cost',
  });
}
