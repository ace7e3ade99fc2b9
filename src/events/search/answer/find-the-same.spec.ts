import { TERMS } from '../../../../test/support/terms.js';
import { NO_WORDS } from '../../index/near-words/fuzzy-dictionary.js';
import { type Cardinalities, UNKNOWN_CARDINALITIES } from '../../index/statistics/cardinalities.js';
import { NO_SHAPES } from '../../index/terms/shapes.js';
import { planOf, type SearchPlan } from '../plan/plan.js';
import { compileSearch } from '../predicate/compile-search.js';
import { parseSearchRequest } from '../request/parse-search-request.js';
import { compileMatches } from '../statement/compile-matches.js';
import { findTheSame } from './find-the-same.js';

const RECORDS = 1_000_000;
const context = {
  now: new Date(0),
  timezone: 'UTC',
  below: () => [],
  dictionary: NO_WORDS,
  shapes: NO_SHAPES,
  terms: TERMS,
};
const known = (frequency: number): Cardinalities => ({
  ...UNKNOWN_CARDINALITIES,
  records: RECORDS,
  ofTerm: () => frequency,
  ofLocations: () => 10,
});

function planned(eventType: string, cardinalities: Cardinalities): SearchPlan {
  const query = { clauses: [{ eventType, trackingId: { type: 'exact', term: 'ABCDEF' } }] };
  return planOf(compileSearch(parseSearchRequest({ query }, { maxLimit: 10 }), 'everything', context), cardinalities);
}

describe('plans', () => {
  const { signal } = new AbortController();
  const [rare, frequent] = [known(5), known(900_000)];

  it('look for the same though statistics were read again between them', async () => {
    const [before, after] = [planned('birth', rare), planned('birth', frequent)];
    const statements = [before, after].map(({ search, cardinalities }) =>
      compileMatches(search, cardinalities).toQuery(),
    );
    expect(statements[0]).not.toEqual(statements[1]);
    expect(await findTheSame([before], [after], signal)).toBe(true);
  });

  it('look for something else where one of them has another condition', async () => {
    expect(await findTheSame([planned('birth', rare)], [planned('death', rare)], signal)).toBe(false);
  });
});
