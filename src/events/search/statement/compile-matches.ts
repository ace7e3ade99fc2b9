import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import { Sql, sql } from '../../../kernel/sql/sql.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import { compileIndexed } from './render.js';

/** Rows for ordering; uses indexes as far as possible. */
export function compileMatches(
  { matches, editDistanceClasses, page }: CompiledSearch,
  cardinalities: Cardinalities,
): Sql {
  const { columns } = page.order;
  if (editDistanceClasses === undefined) return select(columns, compileIndexed(matches, cardinalities));
  const classes = editDistanceClasses.map((one) =>
    select([...columns, sql`${one.edits}::int as edits`], compileIndexed(one.matches, cardinalities)),
  );
  const [only, ...others] = classes;
  if (only !== undefined && others.length === 0) return only;
  return sql`select seq, id, updated_at, min(edits) as edits from (
    ${Sql.join(classes, '\n    union all ')}
  ) banded group by seq, id, updated_at`;
}

const select = (columns: readonly Sql[], where: Sql): Sql =>
  sql`select ${Sql.join([sql`s.seq`, ...columns], ', ')} from event_search s where ${where}`;
