import { Sql, sql } from '../../../kernel/sql/sql.js';
import { documentOf } from '../../index/values/document.js';
import { type RecordRow, SEARCH_COLUMNS } from '../record-row.js';

const SEPARATOR = '\u001e';

/** Joined by a control character, which JSON escapes; array notation would need escaped quotes. */
export const jsonList = (texts: readonly string[]): Sql =>
  sql`string_to_array(${texts.join(SEPARATOR)}::text, ${SEPARATOR}::text)`;

/** The derived tables, or copies of them. */
export interface DerivedTables {
  readonly search: Sql;
  readonly documents: Sql;
}

export const LIVE_TABLES: DerivedTables = { search: sql`event_search`, documents: sql`event_document` };

export interface NumberedRow {
  readonly seq: string;
  readonly row: RecordRow;
}

/** For `oneStatement`; the tables must have no rows of these events. */
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
