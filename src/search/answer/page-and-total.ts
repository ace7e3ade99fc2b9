import type { Queryable } from '../../database/queryable.js';
import type { Cardinalities } from '../../derived/statistics/cardinalities.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import { compileSingleStatement } from '../statement/page.js';
import type { Found, PageRow } from './found.js';
import { ShapesOutdated } from './shapes-outdated.js';

interface Columns {
  readonly proven?: boolean;
  readonly is_current?: boolean;
}

/**
 * Page and total by one statement; `proven` says whether the proof of the search holds. Throws `ShapesOutdated` if the
 * search was compiled with the kinds of values as they were last read, and there are others.
 */
export async function pageAndTotal(
  reader: Queryable,
  search: CompiledSearch,
  cardinalities: Cardinalities,
): Promise<Found & { readonly proven: boolean }> {
  const rows = await reader.query<PageRow & Columns>(compileSingleStatement(search, cardinalities));
  if (search.shapesAsRead !== undefined && !(rows[0]?.is_current === true && search.shapesAsRead.isOfThisServer())) {
    throw new ShapesOutdated();
  }
  return {
    total: Number(rows[0]?.total),
    rows: rows.filter((row) => row.body !== null),
    proven: rows[0]?.proven !== false,
  };
}
