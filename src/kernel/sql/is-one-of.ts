import type { Sql } from './sql.js';
import { sql } from './sql.js';

/**
 * A single value is compared with `=`. For any list PostgreSQL assumes ten values and prefers a custom plan, whose
 * planning takes longer than a look-up.
 */
export const isOneOf = (column: Sql, values: readonly string[], type: Sql): Sql =>
  values.length === 1 ? sql`${column} = ${values[0]}::${type}` : sql`${column} = any(${values}::${type}[])`;
