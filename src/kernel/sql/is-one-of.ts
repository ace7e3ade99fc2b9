import type { Sql } from './sql.js';
import { sql } from './sql.js';

/**
 * A single value is compared with `=`: PostgreSQL assumes ten values in any list and so prefers a custom plan. Planning
 * each look-up anew takes longer than the look-up.
 */
export const isOneOf = (column: Sql, values: readonly string[], type: Sql): Sql =>
  values.length === 1 ? sql`${column} = ${values[0]}::${type}` : sql`${column} = any(${values}::${type}[])`;
