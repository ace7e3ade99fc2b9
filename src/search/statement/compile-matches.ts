import type { Sizes } from '../../derived/statistics/sizes.js';
import { Sql, sql } from '../../sql/sql.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import { compileIndexed } from './render.js';

/** All matches, as the rows that the order of the page is made of: a select, found by indexes as far as one can. */
export function compileMatches({ matches, bands, page }: CompiledSearch, sizes: Sizes): Sql {
  const { columns } = page.order;
  if (bands === undefined) return select(columns, compileIndexed(matches, sizes));
  const banded = bands.map((band) =>
    select([...columns, sql`${band.edits}::int as edits`], compileIndexed(band.matches, sizes)),
  );
  const [only, ...others] = banded;
  if (only !== undefined && others.length === 0) return only;
  return sql`select seq, id, updated_at, min(edits) as edits from (
    ${Sql.join(banded, '\n    union all ')}
  ) banded group by seq, id, updated_at`;
}

const select = (columns: readonly Sql[], where: Sql): Sql =>
  sql`select ${Sql.join([sql`s.seq`, ...columns], ', ')} from event_search s where ${where}`;
