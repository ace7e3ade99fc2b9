import type { Queryable } from '../../../database/queryable.js';
import { sql } from '../../../sql/sql.js';
import type { CompiledSearch } from '../compile/compile-search.js';
import { doubting } from '../compile/compile-search.js';
import type { Proof } from '../compile/proof.js';
import { compileProof, isEmpty } from '../compile/proof.js';
import type { Sizes } from '../compile/sizes.js';
import { broadSearch } from './broad-search.js';
import type { Found, FoundRow } from './found.js';
import type { Plan } from './plan.js';
import { compileAtOnce } from './plan.js';

type PageRow = { readonly total: string; readonly proven?: boolean } & {
  readonly [Key in keyof FoundRow]: FoundRow[Key] | null;
};

/**
 * Runs a search as its plan says. One that is broad needs `reader` to be a snapshot, so that page and total agree (S-5).
 * What the search rests on is asked for in the same snapshot; in the rare case that it is not so, the search that rests
 * on nothing is run in its place.
 */
export async function runSearch(
  reader: Queryable,
  search: CompiledSearch,
  { kind }: Plan,
  sizes: Sizes,
): Promise<Found> {
  if (kind === 'broad') {
    return broadSearch(reader, (await isProven(reader, search.proof)) ? search : doubting(search), sizes);
  }
  const rows = await pageAndTotal(reader, search, sizes);
  const proven = rows[0]?.proven !== false ? rows : await pageAndTotal(reader, doubting(search), sizes);
  return { total: Number(proven[0]?.total), rows: proven.filter(isFound) };
}

const pageAndTotal = (reader: Queryable, search: CompiledSearch, sizes: Sizes): Promise<PageRow[]> =>
  reader.query<PageRow>(compileAtOnce(search, sizes));

async function isProven(snapshot: Queryable, proof: Proof): Promise<boolean> {
  if (isEmpty(proof)) return true;
  const [row] = await snapshot.query<{ readonly proven: boolean }>(sql`select ${compileProof(proof)} as proven`);
  return row?.proven === true;
}

/** An empty page is one row without a body. */
const isFound = (row: PageRow): row is PageRow & FoundRow => row.body !== null;
