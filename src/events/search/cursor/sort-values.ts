import { Sql, sql } from '../../../sql/sql.js';
import type { OrderKey } from '../compile/order.js';

/**
 * A row's values in the order of `keys`, as a `jsonb` list of texts and nulls that `compileAfter` takes back exactly:
 * instants to the microsecond, numbers to the last digit, and all of it whatever the session's settings are.
 */
export const compileSortValues = (keys: readonly OrderKey[]): Sql =>
  sql`jsonb_build_array(${Sql.join(keys.map(asText), ', ')})`;

const asText = ({ column, type }: OrderKey): Sql =>
  type === 'timestamptz' || type === 'date' ? sql`to_jsonb(${column}) #>> '{}'` : sql`(${column})::text`;
