import { RECORD_COLUMNS } from '../../domain/record-columns.js';
import { byColumn } from '../../domain/searched-fields.js';
import { identifier } from '../../sql/sql.js';

const COLUMNS = Object.values(RECORD_COLUMNS);

/** The columns of `event_search` that hold one value of a record each, of a row that is called `s`. */
export const ROW_COLUMNS = byColumn(COLUMNS, ({ column }) => identifier(`s.${column}`));

/** The same of the one table in which they are. */
export const UNQUALIFIED_COLUMNS = byColumn(COLUMNS, ({ column }) => identifier(column));
