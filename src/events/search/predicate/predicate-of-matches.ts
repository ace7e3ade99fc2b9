import type { RowFilter } from '../../../kernel/domain/scopes/caller.js';
import type { Query } from '../../../kernel/domain/search-request.js';
import { allOfParts, type Predicate } from './predicate.js';
import { predicateOfQuery } from './query.js';
import { predicateOfRowFilter } from './row-filter.js';
import type { SearchContext } from './search-context.js';

/** The row filter ANDed with the query. */
export function predicateOfMatches(query: Query, rowFilter: RowFilter, context: SearchContext): Predicate {
  const asked = predicateOfQuery(query, context);
  return rowFilter === 'everything' ? asked : restricted(asked, rowFilter, context);
}

export const restricted = (
  asked: Predicate,
  rowFilter: Exclude<RowFilter, 'everything'>,
  { terms }: SearchContext,
): Predicate => allOfParts([asked, predicateOfRowFilter(rowFilter, terms)]);
