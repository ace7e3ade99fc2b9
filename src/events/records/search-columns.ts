import { areaTermsOf } from '../index/areas/area-terms-of.js';
import { COLUMN_TYPES, RECORD_COLUMNS } from '../../kernel/domain/record-columns.js';
import { SCALAR_FIELDS, type ScalarName } from '../../kernel/domain/scalar-fields.js';
import { identifier, type Sql, sql } from '../../kernel/sql/sql.js';
import type { RecordRow } from './record-row.js';

interface Column {
  readonly name: Sql;
  /** The type in which an array of its values is sent. */
  readonly sent: Sql;
  readonly value: (row: RecordRow) => string | null;
  /** What is stored, from the row `new` as sent, if that is not the value itself. */
  readonly stored?: Sql;
}

/** The types in which arrays of values of each kind are sent. */
const SENT = {
  uuid: sql`uuid[]`,
  timestamptz: sql`timestamptz[]`,
  date: sql`date[]`,
  text: sql`text[]`,
};

const COLUMNS_OF_FIELDS = (Object.keys(RECORD_COLUMNS) as ScalarName[]).map((name): Column => {
  const { kind, read } = SCALAR_FIELDS[name];
  return {
    name: identifier(RECORD_COLUMNS[name].column),
    sent: SENT[COLUMN_TYPES[kind]],
    value: ({ record }) => read(record),
  };
});

/** The columns of `event_search` except `seq`, and the source of each. */
export const SEARCH_COLUMNS: readonly Column[] = [
  ...COLUMNS_OF_FIELDS,
  { name: sql`notified_created_by`, sent: SENT.text, value: ({ notified }) => notified?.createdBy ?? null },
  {
    name: sql`notified_created_at_location`,
    sent: SENT.uuid,
    value: ({ notified }) => notified?.createdAtLocation ?? null,
  },
  // Lists of unequal length cannot form an array of arrays, so they are sent as text.
  { name: sql`flags`, sent: SENT.text, value: ({ record }) => textArray(record.flags), stored: sql`flags::text[]` },
  {
    name: sql`terms`,
    sent: SENT.text,
    value: ({ terms }) => terms,
    stored: sql`terms::bigint[] || ${areaTermsOf(sql`new`)}`,
  },
];

/** A list of texts in the notation of Postgres arrays: `{"a","b"}`. */
const textArray = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
