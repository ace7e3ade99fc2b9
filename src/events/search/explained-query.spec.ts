import { knownOf } from '../../../test/support/reference/near-words.js';
import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { UNKNOWN_CARDINALITIES } from '../index/statistics/cardinalities.js';
import type { Query } from '../../kernel/domain/search-request.js';
import { parseSearchRequest } from './request/parse-search-request.js';
import { explainClause } from './search-explanation.js';

const WITHIN = { createdAtLocation: { type: 'within', location: aUuid(1) } };

/** The query on so many levels. */
const nested = (levels: number): object => ({ clauses: [levels === 1 ? WITHIN : nested(levels - 1)] });

describe('explainClause', () => {
  it('makes a condition once, however deep it is', () => {
    const below = jest.fn(() => [aUuid(1)]);
    const { query }: { readonly query: Query } = parseSearchRequest({ query: nested(16) }, { maxLimit: 1 });
    const context = { now: new Date(0), timezone: 'UTC', below, ...knownOf([]) };
    explainClause(query, context, UNKNOWN_CARDINALITIES);
    expect(below).toHaveBeenCalledTimes(1);
  });
});
