import type { Queryable } from '../../../platform/database/connection/queryable.js';
import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import { compileSingleStatement } from '../statement/page.js';
import type { Found, PageRow } from './found.js';

export async function pageAndTotal(
  reader: Queryable,
  search: CompiledSearch,
  cardinalities: Cardinalities,
): Promise<Found> {
  const rows = await reader.query<PageRow>(compileSingleStatement(search, cardinalities));
  return { total: Number(rows[0]?.total), rows: rows.filter((row) => row.body !== null) };
}
