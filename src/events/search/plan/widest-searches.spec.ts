import { crowdedWith, WIDEST } from '../../../../test/support/widest-searches.js';
import { UNKNOWN_CARDINALITIES } from '../../index/statistics/cardinalities.js';
import { countTerms } from '../predicate/candidate-terms.js';
import { compileSearch } from '../predicate/compile-search.js';
import { leavesOf } from '../predicate/predicate.js';
import { parseSearchRequest } from '../request/parse-search-request.js';
import { compileSingleStatement } from '../statement/page.js';
import { requireAffordable } from './cost.js';

const BOUND = { most: 2_000, name: 'SEARCH_MAX_COST' };
/** PostgreSQL's. */
const MOST_PARAMETERS = 65_535;

describe('a search as wide as is permitted (Q-1)', () => {
  it.each(Object.entries(WIDEST))('is compiled to one statement, whatever is stored: %s', (_, clauses) => {
    const request = parseSearchRequest({ query: { type: 'or', clauses }, limit: 10 }, { maxLimit: 10 });
    expect(requireAffordable(request.query, BOUND)).toBeLessThanOrEqual(BOUND.most);
    const compiled = compileSearch(request, 'everything', crowdedWith(1_000));
    const { params } = compileSingleStatement(compiled, UNKNOWN_CARDINALITIES).toQuery();
    expect(params.length).toBeLessThan(MOST_PARAMETERS);
    const terms = leavesOf(compiled.matches).reduce((sum, leaf) => sum + countTerms(leaf.candidateTerms), 0);
    // Those that exactly match are found apart from the others; a text may have terms of its words besides.
    expect(terms).toBeLessThan(3 * 20_000);
  });

  it('takes not one condition more', () => {
    const clauses = [
      ...(WIDEST['2,000 names in two lists'] ?? []),
      { data: { f: { type: 'exact', term: 'one more' } } },
    ];
    const { query } = parseSearchRequest({ query: { clauses } }, { maxLimit: 10 });
    expect(() => requireAffordable(query, BOUND)).toThrow('Input validation failed');
  });
});
