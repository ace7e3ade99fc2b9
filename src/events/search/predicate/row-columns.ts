import { RECORD_COLUMNS } from '../../../kernel/domain/record-columns.js';
import { byColumn } from '../../../kernel/domain/searched-fields.js';
import { identifier } from '../../../kernel/sql/sql.js';

const COLUMNS = Object.values(RECORD_COLUMNS);

/** The single-valued columns of a row `s` of `event_search`. */
export const ROW_COLUMNS = byColumn(COLUMNS, ({ column }) => identifier(`s.${column}`));

export const UNQUALIFIED_COLUMNS = byColumn(COLUMNS, ({ column }) => identifier(column));
