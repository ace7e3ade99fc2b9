import type { Reach } from '../../../access/caller.js';
import type { SearchRequest } from '../../../domain/search-request.js';
import { compileAfter } from '../cursor/compile-after.js';
import { compileEdits } from './edits.js';
import type { Order } from './order.js';
import type { Page } from './page.js';
import type { Predicate } from './predicate.js';
import { predicateOfMatches } from './predicate-of-matches.js';
import type { SearchContext } from './search-context.js';
import { compileOrder, compileRelevance } from './sort.js';

/** A search as plans are made of it: which rows match, in which order, and which of them are asked for. */
export interface CompiledSearch {
  readonly matches: Predicate;
  readonly page: Page;
}

export function compileSearch(request: SearchRequest, reach: Reach, context: SearchContext): CompiledSearch {
  const { limit, offset, after } = request;
  const order = orderOf(request, context);
  return {
    matches: predicateOfMatches(request.query, reach, context),
    page: { order, limit, offset, ...(after === undefined ? {} : { after: compileAfter(order.keys, after) }) },
  };
}

/** As asked; by relevance when nothing was asked and there is a fuzzy condition (S-12). */
function orderOf({ query, sort }: SearchRequest, context: SearchContext): Order {
  const edits = sort.length === 0 ? compileEdits(query, context) : undefined;
  return edits === undefined ? compileOrder(sort) : compileRelevance(edits);
}
