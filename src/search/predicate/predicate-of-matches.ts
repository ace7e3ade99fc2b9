import type { RowFilter } from '../../access/caller.js';
import type { Query } from '../../domain/search-request.js';
import type { Predicate } from './predicate.js';
import { allOfParts } from './predicate.js';
import { predicateOfQuery } from './query.js';
import { predicateOfRowFilter } from './row-filter.js';
import type { SearchContext } from './search-context.js';

/** The records that a caller finds: what may be seen, ANDed with what was asked for. */
export const predicateOfMatches = (query: Query, rowFilter: RowFilter, context: SearchContext): Predicate =>
  restricted(predicateOfQuery(query, context), rowFilter, context);

/** The matches that the caller may see. */
export const restricted = (asked: Predicate, rowFilter: RowFilter, { callerSubject }: SearchContext): Predicate =>
  rowFilter === 'everything' ? asked : allOfParts([asked, predicateOfRowFilter(rowFilter, callerSubject)]);
