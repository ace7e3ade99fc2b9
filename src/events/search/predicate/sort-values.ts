import { Sql, sql } from '../../../kernel/sql/sql.js';
import type { OrderKey } from './order.js';

/**
 * A row's values in the order of `keys`, as a JSON list of texts and nulls that `compileAfter` accepts without loss:
 * instants to the microsecond, numbers to the last digit, regardless of the session's settings. It is a text, since at
 * most one row's list of a whole page is ever read.
 */
export const compileSortValues = (keys: readonly OrderKey[]): Sql =>
  sql`json_build_array(${Sql.join(keys.map(asText), ', ')})::text`;

/** JSON has exactly one way to write an instant. */
const asText = ({ column, type }: OrderKey): Sql =>
  type === 'timestamptz' || type === 'date' ? sql`to_jsonb(${column}) #>> '{}'` : sql`(${column})::text`;
