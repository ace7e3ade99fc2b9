import type { Reach } from '../../access/caller.js';
import type { Query } from '../../domain/search-request.js';
import type { Predicate } from './predicate.js';
import { allOfParts } from './predicate.js';
import { predicateOfQuery } from './query.js';
import { predicateOfReach } from './reach.js';
import type { SearchContext } from './search-context.js';

/** Which records a caller finds: what may be seen is ANDed with what was asked for. */
export const predicateOfMatches = (query: Query, reach: Reach, context: SearchContext): Predicate =>
  restricted(predicateOfQuery(query, context), reach, context);

/** The matches that the caller may see. */
export const restricted = (asked: Predicate, reach: Reach, { callerSubject }: SearchContext): Predicate =>
  reach === 'everything' ? asked : allOfParts([asked, predicateOfReach(reach, callerSubject)]);
