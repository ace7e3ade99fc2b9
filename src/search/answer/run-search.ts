import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../sql/sql.js';
import type { SearchPlan } from '../plan/plan.js';
import { inDoubt } from '../predicate/compile-search.js';
import type { Proof } from '../predicate/proof.js';
import { compileProof } from '../predicate/proof.js';
import type { Unanswered } from './counted-page.js';
import { countedByKnownBitmaps, countedPage } from './counted-page.js';
import type { Found } from './found.js';
import { WALK_BOUNDS } from './near-rows.js';
import { pageAndTotal } from './page-and-total.js';
import { twoPhaseSearch } from './two-phase-search.js';

/**
 * Runs a search according to its plan, in one snapshot, so that page and total agree (S-5). The proof of the search is
 * checked in the same snapshot; in the rare case that it fails, the search without a proof runs instead.
 */
export async function runSearch(snapshot: Queryable, plan: SearchPlan): Promise<Found> {
  const found = await runAtOnce(snapshot, plan);
  return isAnswered(found) ? found : runInPhases(snapshot, plan, found);
}

/** The same by one statement, for which `reader` need not be a snapshot, if that answers it. */
export async function runAtOnce(reader: Queryable, plan: SearchPlan): Promise<Found | Unanswered> {
  const { kind, search, cardinalities } = plan;
  const known = kind === 'single-statement' ? undefined : countedByKnownBitmaps(plan);
  const counted = known === undefined ? 'not counted' : await countedPage(reader, plan, known);
  if (isAnswered(counted) || kind === 'two-phase') return counted;
  const found = await pageAndTotal(reader, search, cardinalities);
  return found.proven ? found : pageAndTotal(reader, await inDoubt(search), cardinalities);
}

/** Whether one statement has answered. */
export const isAnswered = (found: Found | Unanswered): found is Found => typeof found !== 'string';

/** A search in two phases that `runAtOnce` did not answer, by several statements. */
export async function runInPhases(
  snapshot: Queryable,
  { search, cardinalities }: SearchPlan,
  why: Unanswered,
): Promise<Found> {
  const trusted = (await isProven(snapshot, search.proof)) ? search : await inDoubt(search);
  return twoPhaseSearch(snapshot, trusted, cardinalities, why === 'walked in vain' ? 'in vain' : WALK_BOUNDS);
}

async function isProven(snapshot: Queryable, proof: Proof | undefined): Promise<boolean> {
  if (proof === undefined) return true;
  const [row] = await snapshot.query<{ readonly proven: boolean }>(sql`select ${compileProof(proof)} as proven`);
  return row?.proven === true;
}
