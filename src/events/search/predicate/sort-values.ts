import { Sql, sql } from '../../../kernel/sql/sql.js';
import type { OrderKey } from './order.js';

/**
 * JSON that `compileAfter` accepts without loss, whatever the session's settings: instants to the microsecond, numbers
 * to the last digit. A text, since at most one list of a page is read.
 */
export const compileSortValues = (keys: readonly OrderKey[]): Sql =>
  sql`json_build_array(${Sql.join(keys.map(asText), ', ')})::text`;

/** JSON has exactly one way to write an instant. */
const asText = ({ column, type }: OrderKey): Sql =>
  type === 'timestamptz' || type === 'date' ? sql`to_jsonb(${column}) #>> '{}'` : sql`(${column})::text`;
