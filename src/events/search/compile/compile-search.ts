import type { Reach } from '../../../access/caller.js';
import type { SearchRequest } from '../../../domain/search-request.js';
import type { Sql } from '../../../sql/sql.js';
import { all } from '../../../sql/sql.js';
import { compileEdits } from './edits.js';
import type { Order } from './order.js';
import { compilePage } from './page.js';
import { compileQuery } from './query.js';
import { compileReach } from './reach.js';
import type { SearchContext } from './search-context.js';
import { compileOrder, compileRelevance } from './sort.js';

/**
 * The statement that answers a search: rows `{total, body}` in order, as `compilePage` describes them. What the caller
 * may see is ANDed with what was asked for.
 *
 * Every condition is an expression over `s`, the row of `event_search`. One on a column without a value yields NULL;
 * nothing but AND and OR stands above such an expression, so that NULL is as good as false, and indexes stay usable.
 */
export function compileSearch(request: SearchRequest, reach: Reach, context: SearchContext): Sql {
  const asked = compileQuery(request.query, context);
  const matches = reach === 'everything' ? asked : all([asked, compileReach(reach, context.callerSubject)]);
  return compilePage(matches, orderOf(request, context), request);
}

/** As asked; by relevance when nothing was asked and there is a fuzzy condition (S-12). */
function orderOf({ query, sort }: SearchRequest, context: SearchContext): Order {
  const edits = sort.length === 0 ? compileEdits(query, context) : undefined;
  return edits === undefined ? compileOrder(sort) : compileRelevance(edits);
}
