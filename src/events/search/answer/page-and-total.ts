import type { Queryable } from '../../../platform/database/connection/queryable.js';
import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import { compileSingleStatement } from '../statement/page.js';
import type { Found, PageRow } from './found.js';
import { KnownOutdated } from './known-outdated.js';

interface Columns {
  readonly proven?: boolean;
  readonly is_current?: boolean;
}

/** Throws `KnownOutdated` if words or kinds of values are outdated. */
export async function pageAndTotal(
  reader: Queryable,
  search: CompiledSearch,
  cardinalities: Cardinalities,
): Promise<Found & { readonly proven: boolean }> {
  const rows = await reader.query<PageRow & Columns>(compileSingleStatement(search, cardinalities));
  const found = {
    total: Number(rows[0]?.total),
    rows: rows.filter((row) => row.body !== null),
    proven: rows[0]?.proven !== false,
  };
  const { readBefore } = search;
  // An unproven search runs again, and checks again.
  if (readBefore === undefined || !found.proven) return found;
  if (rows[0]?.is_current !== true || !readBefore.isOfThisServer()) throw new KnownOutdated(found);
  return found;
}
