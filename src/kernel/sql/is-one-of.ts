import type { Sql } from './sql.js';
import { sql } from './sql.js';

/**
 * `column` is one of the values, of an SQL `type`. One value stands alone: PostgreSQL takes every list for ten values,
 * holds a plan for any list to be costlier than one for the list at hand, and so would plan each look-up anew, which
 * takes longer than the look-up.
 */
export const isOneOf = (column: Sql, values: readonly string[], type: Sql): Sql =>
  values.length === 1 ? sql`${column} = ${values[0]}::${type}` : sql`${column} = any(${values}::${type}[])`;
