import { RECORD_COLUMNS } from '../../../kernel/domain/record-columns.js';
import { byColumn } from '../../../kernel/domain/searched-fields.js';
import { identifier } from '../../../kernel/sql/sql.js';

const COLUMNS = Object.values(RECORD_COLUMNS);

/** The columns of `event_search` with one value for each record, of a row called `s`. */
export const ROW_COLUMNS = byColumn(COLUMNS, ({ column }) => identifier(`s.${column}`));

/** The same columns without a table name. */
export const UNQUALIFIED_COLUMNS = byColumn(COLUMNS, ({ column }) => identifier(column));
