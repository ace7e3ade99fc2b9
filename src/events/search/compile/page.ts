import type { SearchRequest } from '../../../domain/search-request.js';
import { Sql, sql } from '../../../sql/sql.js';
import type { Order } from './order.js';
import { orderBy } from './order.js';

/**
 * One statement, hence one snapshot (S-5), whose rows are the page in order: `total` is the exact number of matches,
 * `body` a record's answer. An empty page is one row with a null `body`, so that the total is there all the same.
 *
 * The matches are found first (`materialized`), then ordered and cut as narrow rows; documents are read for the page
 * alone. Left to itself the planner would walk an index in sort order in the hope of meeting a page of matches.
 */
export function compilePage(matches: Sql, order: Order, { limit, offset }: SearchRequest): Sql {
  return sql`with matched as materialized (
  select ${Sql.join([sql`s.seq`, ...order.columns], ', ')}
  from event_search s
  where ${matches}
), page as (
  select * from matched order by ${orderBy(order.keys)} limit ${limit}::bigint offset ${offset}::bigint
)
select counted.total, event_document.body
from (select count(*) as total from matched) counted
left join (page join event_document using (seq)) on true
order by ${orderBy(order.keys)}`;
}
