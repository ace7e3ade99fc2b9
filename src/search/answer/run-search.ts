import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../sql/sql.js';
import type { SearchPlan } from '../plan/plan.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import { doubting } from '../predicate/compile-search.js';
import type { Proof } from '../predicate/proof.js';
import { compileProof, isEmpty } from '../predicate/proof.js';
import { countedPage, totalByKnownBitmaps } from './counted-page.js';
import type { Found } from './found.js';
import { pageAndTotal } from './page-and-total.js';
import { bitmapSearch, twoPhaseSearch } from './two-phase-search.js';

/**
 * Runs a search according to its plan. `reader` needs to be a snapshot, so that page and total agree (S-5). The proof
 * of the search is checked in the same snapshot; in the rare case that it fails, the search without a proof runs
 * instead.
 */
export const runSearch = async (snapshot: Queryable, plan: SearchPlan): Promise<Found> =>
  (await runAtOnce(snapshot, plan)) ?? runInPhases(snapshot, plan);

/** The same by one statement, for which `reader` need not be a snapshot; undefined if that does not answer it. */
export async function runAtOnce(reader: Queryable, plan: SearchPlan): Promise<Found | undefined> {
  const { kind, search, cardinalities } = plan;
  const known = kind === 'single-statement' ? undefined : totalByKnownBitmaps(plan);
  if (known !== undefined) return countedPage(reader, plan, known);
  if (kind === 'two-phase') return undefined;
  const found = await pageAndTotal(reader, search, cardinalities);
  return found.proven ? found : pageAndTotal(reader, await inDoubt(search), cardinalities);
}

/** A search that `runAtOnce` did not answer, by several statements. */
export async function runInPhases(snapshot: Queryable, { kind, search, cardinalities }: SearchPlan): Promise<Found> {
  const trusted = (await isProven(snapshot, search.proof)) ? search : await inDoubt(search);
  if (kind === 'two-phase') return twoPhaseSearch(snapshot, trusted, cardinalities);
  const found = await bitmapSearch(snapshot, trusted, cardinalities);
  return found ?? pageAndTotal(snapshot, trusted, cardinalities);
}

async function inDoubt(search: CompiledSearch): Promise<CompiledSearch> {
  await search.prepareDoubt();
  return doubting(search);
}

async function isProven(snapshot: Queryable, proof: Proof): Promise<boolean> {
  if (isEmpty(proof)) return true;
  const [row] = await snapshot.query<{ readonly proven: boolean }>(sql`select ${compileProof(proof)} as proven`);
  return row?.proven === true;
}
