import { documentOf } from '../../index/values/document.js';
import { Sql, sql } from '../../../kernel/sql/sql.js';
import type { RecordRow } from '../record-row.js';
import { SEARCH_COLUMNS } from '../search-columns.js';
import { jsonList } from './json-list.js';

/** The tables derived from the events, or others with the same definition. */
export interface DerivedTables {
  readonly search: Sql;
  readonly documents: Sql;
}

/** Those that searches read. */
export const LIVE_TABLES: DerivedTables = { search: sql`event_search`, documents: sql`event_document` };

/** The derived data of the event with this `seq`. */
export interface NumberedRow {
  readonly seq: string;
  readonly row: RecordRow;
}

/** Changes for `oneStatement`: inserts the rows of events into tables that have none of them yet. */
export function insertionsOf({ search, documents }: DerivedTables, rows: readonly NumberedRow[]): readonly Sql[] {
  if (rows.length === 0) return [];
  const seqs = rows.map(({ seq }) => seq);
  return [
    sql`insert into ${search} (seq, ${SEARCH_COLUMN_NAMES}) ${searchRows(rows, seqs)}`,
    sql`
      insert into ${documents} (seq, body)
      select * from unnest(${seqs}::bigint[], ${jsonList(rows.map(({ row }) => documentOf(row)))})`,
  ];
}

/** A query for the required content of `event_search`, `seq` and its other columns, as stored. */
export function searchRows(rows: readonly NumberedRow[], seqs = rows.map(({ seq }) => seq)): Sql {
  const arrays = SEARCH_COLUMNS.map(({ sent, value }) => sql`${rows.map(({ row }) => value(row))}::${sent}`);
  return sql`select seq, ${Sql.join(STORED, ', ')}
      from unnest(${seqs}::bigint[], ${Sql.join(arrays, ', ')}) as new (seq, ${SEARCH_COLUMN_NAMES})`;
}

const SEARCH_COLUMN_NAMES = Sql.join(
  SEARCH_COLUMNS.map(({ name }) => name),
  ', ',
);

const STORED = SEARCH_COLUMNS.map(({ name, stored }) => (stored === undefined ? name : sql`${stored} as ${name}`));
