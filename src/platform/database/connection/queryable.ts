import type { Sql } from '../../../kernel/sql/sql.js';

/** Something that runs a statement: the pool, or one transaction. */
export interface Queryable {
  query<Row>(statement: Sql): Promise<Row[]>;
}
