import fc from 'fast-check';

import { EVENT_STATUSES } from '../../src/kernel/domain/event-status.js';
import type { SearchRequest, SortKey } from '../../src/kernel/domain/search-request.js';
import { parseSearchRequest } from '../../src/events/search/request/parse-search-request.js';
import { aSortKey, someOf } from './arbitrary-clause.js';
import { EVENT_TYPES, FLAGS } from './vocabulary.js';

const aClause = fc.oneof(
  fc.record({ flags: fc.record({ noneOf: fc.subarray([...FLAGS], { maxLength: 1 }) }) }),
  fc.record({ eventType: fc.constantFrom(...EVENT_TYPES) }),
  fc.record({ status: fc.record({ type: fc.constant('anyOf'), terms: someOf(...EVENT_STATUSES) }) }),
  fc.record({ flags: fc.record({ anyOf: someOf(...FLAGS), noneOf: someOf(...FLAGS) }) }),
  fc.record({
    eventType: fc.constantFrom(...EVENT_TYPES),
    status: fc.record({ type: fc.constant('exact'), term: fc.constantFrom(...EVENT_STATUSES) }),
  }),
);

/** By a column that has an index first, since other orders are found by the statement for few matches. */
const inAnIndex = (sort: readonly SortKey[]): readonly SortKey[] => [
  { field: { on: 'record', name: sort.length % 2 === 0 ? 'updatedAt' : 'createdAt' }, direction: 'desc' },
  ...sort,
];

/** Searches that bitmaps can count. */
export const aCountedRequest: fc.Arbitrary<SearchRequest> = fc
  .record({
    query: fc.record({
      type: fc.constantFrom('and', 'or'),
      clauses: fc.array(aClause, { minLength: 1, maxLength: 3 }),
    }),
    limit: fc.nat(4),
    offset: fc.nat(3),
    sort: fc.array(aSortKey, { maxLength: 3 }),
  })
  .map(({ sort, ...body }) => ({ ...parseSearchRequest(body, { maxLimit: 100 }), sort: inAnIndex(sort) }));
