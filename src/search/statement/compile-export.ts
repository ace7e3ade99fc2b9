import { Sql, sql } from '../../sql/sql.js';
import { compileOrder } from '../predicate/order/sort.js';
import { predicateOfMatches } from '../predicate/predicate-of-matches.js';
import { shownBody, STORED_BODY } from '../predicate/shown-body.js';
import type { Setting } from '../plan/setting.js';
import type { ExportRequest } from '../request/parse-export-request.js';
import { bodyAt } from './page.js';
import { compileIndexed } from './render.js';

/** What is exported: everything, or up to a limit the matches of a query. */
export type Exported = Omit<ExportRequest, 'query'> & Partial<Pick<ExportRequest, 'query'>>;

/** The statement that yields records as rows `{body}` in order, restricted to what the caller may see (A-10). */
export function compileExport({ query, sort, limit }: Exported, { rowFilter, context, cardinalities }: Setting): Sql {
  const matches =
    query === undefined ? sql`true` : compileIndexed(predicateOfMatches(query, rowFilter, context), cardinalities);
  const shown = shownBody(rowFilter, context);
  const most = limit === undefined ? sql`` : sql` limit ${limit}::bigint`;
  if (sort.length === 0) {
    return sql`select ${shown ?? STORED_BODY} as body
from event_search s join event_document d using (seq)
where ${matches}
order by s.seq${most}`;
  }
  const order = compileOrder(sort, context);
  return sql`select ${bodyAt(sql`exported.seq`, { shown })}
from (select s.seq, ${Sql.join(order.columns, ', ')} from event_search s where ${matches}) exported
order by ${order.by}${most}`;
}
