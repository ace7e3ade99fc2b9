import type { Queryable } from '../../../platform/database/connection/queryable.js';
import type { SearchPlan } from '../plan/plan.js';
import type { Found } from './found.js';
import { pageAndTotal } from './page-and-total.js';
import { twoPhaseSearch } from './two-phase-search.js';

/** Page and total agree (S-5): `reader` is a snapshot, or the plan is a single statement. */
export async function runSearch(reader: Queryable, { kind, search, cardinalities }: SearchPlan): Promise<Found> {
  return kind === 'single-statement'
    ? pageAndTotal(reader, search, cardinalities)
    : twoPhaseSearch(reader, search, cardinalities);
}
