import { Sql, sql } from '../../../sql/sql.js';
import type { OrderKey } from '../compile/order.js';

/**
 * A row's values in the order of `keys`, as a list of texts and nulls that `compileAfter` takes back exactly: instants to
 * the microsecond, numbers to the last digit, and all of it whatever the session's settings are.
 */
export const compileSortValues = (keys: readonly OrderKey[]): Sql => sql`array[${Sql.join(keys.map(asText), ', ')}]`;

/** JSON knows one way to write an instant, and only one. */
const asText = ({ column, type }: OrderKey): Sql =>
  type === 'timestamptz' || type === 'date' ? sql`to_jsonb(${column}) #>> '{}'` : sql`(${column})::text`;
