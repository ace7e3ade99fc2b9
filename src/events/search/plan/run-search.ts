import type { Queryable } from '../../../database/queryable.js';
import type { CompiledSearch } from '../compile/compile-search.js';
import type { Sizes } from '../compile/sizes.js';
import { broadSearch } from './broad-search.js';
import type { Found, FoundRow } from './found.js';
import type { Plan } from './plan.js';
import { compileAtOnce } from './plan.js';

type PageRow = { readonly total: string } & { readonly [Key in keyof FoundRow]: FoundRow[Key] | null };

/** Runs a search as its plan says. One that is broad needs `reader` to be a snapshot, so that page and total agree (S-5). */
export async function runSearch(
  reader: Queryable,
  search: CompiledSearch,
  { kind }: Plan,
  sizes: Sizes,
): Promise<Found> {
  if (kind === 'broad') return broadSearch(reader, search, sizes);
  const rows = await reader.query<PageRow>(compileAtOnce(search, sizes));
  return { total: Number(rows[0]?.total), rows: rows.filter(isFound) };
}

/** An empty page is one row without a body. */
const isFound = (row: PageRow): row is PageRow & FoundRow => row.body !== null;
