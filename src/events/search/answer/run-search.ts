import { sql } from '../../../kernel/sql/sql.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import type { SearchPlan } from '../plan/plan.js';
import type { Found } from './found.js';
import { KnownOutdated } from './known-outdated.js';
import { pageAndTotal } from './page-and-total.js';
import { twoPhaseSearch } from './two-phase-search.js';

/**
 * Page and total agree (S-5): `reader` is a snapshot, or the plan is a single statement. Throws `KnownOutdated` if words
 * or kinds of values are outdated.
 */
export async function runSearch(reader: Queryable, { kind, search, cardinalities }: SearchPlan): Promise<Found> {
  if (kind === 'single-statement') return pageAndTotal(reader, search, cardinalities);
  const { readBefore, ...asked } = search;
  const found = await twoPhaseSearch(reader, asked, cardinalities);
  if (readBefore === undefined) return found;
  const [row] = await reader.query<{ isCurrent: boolean }>(sql`select ${readBefore.unchanged} as "isCurrent"`);
  if (row?.isCurrent !== true || !readBefore.isOfThisServer()) throw new KnownOutdated(found);
  return found;
}
