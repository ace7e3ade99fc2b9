import type { Sql } from './sql.js';
import { sql } from './sql.js';

/**
 * Hides a value from the planner: a generic plan then looks as cheap as a custom one, and the statement is planned once
 * per connection. For statements with one good plan.
 */
export const unseen = (value: Sql): Sql => sql`(select ${value})`;
