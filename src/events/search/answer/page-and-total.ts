import type { Queryable } from '../../../platform/database/connection/queryable.js';
import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import { compileSingleStatement } from '../statement/page.js';
import type { Found, PageRow } from './found.js';
import { KnownOutdated } from './known-outdated.js';

/** Throws `KnownOutdated` if words or kinds of values are outdated. */
export async function pageAndTotal(
  reader: Queryable,
  search: CompiledSearch,
  cardinalities: Cardinalities,
): Promise<Found> {
  const rows = await reader.query<PageRow & { readonly is_current?: boolean }>(
    compileSingleStatement(search, cardinalities),
  );
  const found = { total: Number(rows[0]?.total), rows: rows.filter((row) => row.body !== null) };
  const { readBefore } = search;
  if (readBefore === undefined) return found;
  if (rows[0]?.is_current !== true || !readBefore.isOfThisServer()) throw new KnownOutdated(found);
  return found;
}
