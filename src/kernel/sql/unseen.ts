import type { Sql } from './sql.js';
import { sql } from './sql.js';

/**
 * A value that PostgreSQL does not see when it plans. A plan that it keeps then looks as cheap as one for the values at
 * hand, and the statement is planned once for each connection: for statements that have one good plan.
 */
export const unseen = (value: Sql): Sql => sql`(select ${value})`;
