import type { Sql } from './sql.js';
import { sql } from './sql.js';

/**
 * Hides a value from the planner, so that the generic plan looks cheap and is cached per connection. For statements
 * with one good plan.
 */
export const unseen = (value: Sql): Sql => sql`(select ${value})`;
