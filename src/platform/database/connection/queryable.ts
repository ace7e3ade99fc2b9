import type { Sql } from '../../../kernel/sql/sql.js';

export interface Queryable {
  query<Row>(statement: Sql): Promise<Row[]>;
}
