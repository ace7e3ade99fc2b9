import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../sql/sql.js';
import type { SearchPlan } from '../plan/plan.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import { doubting } from '../predicate/compile-search.js';
import type { Proof } from '../predicate/proof.js';
import { compileProof, isEmpty } from '../predicate/proof.js';
import type { Found } from './found.js';
import { pageAndTotal } from './page-and-total.js';
import { bitmapSearch, twoPhaseSearch } from './two-phase-search.js';

/**
 * Runs a search according to its plan. Every plan but that of a single statement needs `reader` to be a snapshot, so
 * that page and total agree (S-5). The proof of the search is checked in the same snapshot; in the rare case that it
 * fails, the search without a proof runs instead.
 */
export async function runSearch(reader: Queryable, { kind, search, cardinalities }: SearchPlan): Promise<Found> {
  if (kind === 'two-phase') {
    return twoPhaseSearch(
      reader,
      (await isProven(reader, search.proof)) ? search : await inDoubt(search),
      cardinalities,
    );
  }
  if (kind === 'bitmaps-first' && (await isProven(reader, search.proof))) {
    const found = await bitmapSearch(reader, search, cardinalities);
    if (found !== undefined) return found;
  }
  const found = await pageAndTotal(reader, search, cardinalities);
  return found.proven ? found : pageAndTotal(reader, await inDoubt(search), cardinalities);
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
