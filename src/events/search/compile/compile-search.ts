import type { Reach } from '../../../access/caller.js';
import type { SearchRequest } from '../../../domain/search-request.js';
import { compileAfter } from '../cursor/compile-after.js';
import { compileEdits } from './edits.js';
import type { Order } from './order.js';
import type { Page } from './page.js';
import type { Predicate } from './predicate.js';
import { predicateOfMatches } from './predicate-of-matches.js';
import type { Proof } from './proof.js';
import { bothProofs, NO_PROOF } from './proof.js';
import type { SearchContext } from './search-context.js';
import { compileOrder, compileRelevance } from './sort.js';

/** A search as plans are made of it: which rows match, in which order, and which of them are asked for. */
export interface CompiledSearch {
  readonly matches: Predicate;
  readonly page: Page;
  /** What must be so for this to be right. */
  readonly proof: Proof;
  /** The same search where that is not so: it reads the documents that terms would have spared, and is always right. */
  readonly inDoubt: () => Pick<CompiledSearch, 'matches'> & Pick<Page, 'order'>;
}

export function compileSearch(request: SearchRequest, reach: Reach, context: SearchContext): CompiledSearch {
  const { limit, offset, after } = request;
  const compiled = (trustsTerms: boolean): ReturnType<CompiledSearch['inDoubt']> => ({
    matches: predicateOfMatches(request.query, reach, { ...context, trustsTerms }),
    order: orderOf(request, { ...context, trustsTerms }),
  });
  const { matches, order } = compiled(true);
  return {
    matches,
    page: { order, limit, offset, ...(after === undefined ? {} : { after: compileAfter(order.keys, after) }) },
    proof: proofOfData(matches),
    inDoubt: () => compiled(false),
  };
}

/** The search that rests on no proof. */
export function doubting(search: CompiledSearch): CompiledSearch {
  const { matches, order } = search.inDoubt();
  return { ...search, matches, page: { ...search.page, order }, proof: NO_PROOF };
}

/** As asked; by relevance when nothing was asked and there is a fuzzy condition (S-12). */
function orderOf({ query, sort }: SearchRequest, context: SearchContext): Order {
  const edits = sort.length === 0 ? compileEdits(query, context) : undefined;
  return edits === undefined ? compileOrder(sort) : compileRelevance(edits);
}

/** What must be so for the terms of the declaration to be trusted; conditions on columns are tried on those. */
function proofOfData(predicate: Predicate): Proof {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return bothProofs(predicate.parts.map(proofOfData));
    case 'not':
      return proofOfData(predicate.part);
    case 'row':
      return NO_PROOF;
    case 'data':
      return predicate.proof;
  }
}
