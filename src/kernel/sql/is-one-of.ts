import type { Sql } from './sql.js';
import { sql } from './sql.js';

/**
 * PostgreSQL assumes ten values in any list and prefers a custom plan, whose planning takes longer than a look-up; a
 * single value is compared with `=`.
 */
export const isOneOf = (column: Sql, values: readonly string[], type: Sql): Sql =>
  values.length === 1 ? sql`${column} = ${values[0]}::${type}` : sql`${column} = any(${values}::${type}[])`;
