import { areaTermsOf } from '../index/areas/area-terms-of.js';
import { COLUMN_TYPES, RECORD_COLUMNS } from '../../kernel/domain/record-columns.js';
import { SCALAR_FIELDS, type ScalarName } from '../../kernel/domain/scalar-fields.js';
import { identifier, type Sql, sql } from '../../kernel/sql/sql.js';
import type { RecordRow } from './record-row.js';

interface Column {
  readonly name: Sql;
  /** SQL type of the array sent. */
  readonly sent: Sql;
  readonly value: (row: RecordRow) => string | null;
  /** Expression on the row `new`, if different from the value. */
  readonly stored?: Sql;
}

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

/** Without `seq`. */
export const SEARCH_COLUMNS: readonly Column[] = [
  ...COLUMNS_OF_FIELDS,
  { name: sql`notified_created_by`, sent: SENT.text, value: ({ notified }) => notified?.createdBy ?? null },
  {
    name: sql`notified_created_at_location`,
    sent: SENT.uuid,
    value: ({ notified }) => notified?.createdAtLocation ?? null,
  },
  // Lists of unequal length form no array of arrays, hence text.
  { name: sql`flags`, sent: SENT.text, value: ({ record }) => textArray(record.flags), stored: sql`flags::text[]` },
  {
    name: sql`terms`,
    sent: SENT.text,
    value: ({ terms }) => terms,
    stored: sql`terms::bigint[] || ${areaTermsOf(sql`new`)}`,
  },
];

/** Postgres array notation: `{"a","b"}`. */
const textArray = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
