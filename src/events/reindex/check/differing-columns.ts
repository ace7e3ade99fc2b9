import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { linesIn } from '../../index/values/document.js';
import { SEARCH_COLUMNS } from '../../records/search-columns.js';
import { LIVE_TABLES, type NumberedRow, searchRows } from '../../records/store/insert-rows.js';
import { jsonList } from '../../records/store/json-list.js';
import { Sql, sql } from '../../../kernel/sql/sql.js';

interface Differing {
  readonly seq: string;
  /** As `table.column`, or `table: no row`. */
  readonly columns: readonly string[];
}

export const differingSearchColumns = (reader: Queryable, rows: readonly NumberedRow[]): Promise<Differing[]> =>
  reader.query(sql`
    select seq, columns
      from (select seq, case when live.seq is null then array['event_search: no row']
                             else array_remove(array[${Sql.join(SEARCH_CASES, ', ')}], null) end as columns
              from (${searchRows(rows)}) as must left join ${LIVE_TABLES.search} as live using (seq)) as compared
     where columns <> '{}'`);

/** A list of one empty text counts as an empty list. */
export const differingFacts = (reader: Queryable, rows: readonly NumberedRow[]): Promise<Differing[]> =>
  reader.query(sql`
    select seq, array['event_document.body: facts'] as columns
      from unnest(${rows.map(({ seq }) => seq)}::bigint[], ${jsonList(rows.map(({ row }) => row.facts))})
             as must (seq, facts) join ${LIVE_TABLES.documents} as live using (seq)
     where ${linesIn(sql`live.body`)} <> coalesce(must.facts, '')`);

/** Ignores terms of moved areas, as searches do. */
const settled = (terms: Sql): Sql =>
  sql`array(select distinct t from unnest(${terms}) t where t not in (select hash from term_doubt where moved_by is not null) order by t)`;

const SEARCH_CASES = SEARCH_COLUMNS.map(({ name }) => {
  const label = sql`${`event_search.${name.toQuery().text}`}::text`;
  return name.toQuery().text === 'terms'
    ? sql`case when live.terms <> must.terms and ${settled(sql`live.terms`)} <> ${settled(sql`must.terms`)} then ${label} end`
    : sql`case when live.${name} is distinct from must.${name} then ${label} end`;
});
