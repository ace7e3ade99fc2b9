import type { Sql } from './sql.js';
import { sql } from './sql.js';

/** The first rows by `order` with at most `mostBytes` of `bytes` together; at least one. */
export const rowsWithin = (rows: Sql, order: Sql, mostBytes: number): Sql => sql`
  select * from (
    select candidate.*, row_number() over in_order as rank, sum(bytes) over in_order as upto
      from (${rows}) candidate window in_order as (order by ${order})) ranked
   where rank = 1 or upto <= ${mostBytes}`;
