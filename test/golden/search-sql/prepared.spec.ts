import { UNKNOWN_CARDINALITIES } from '../../../src/events/index/statistics/cardinalities.js';
import { type CompiledSearch, compileSearch } from '../../../src/events/search/predicate/compile-search.js';
import { prepared } from '../../../src/events/search/predicate/prepared.js';
import type { SearchContext } from '../../../src/events/search/predicate/search-context.js';
import { parseSearchRequest } from '../../../src/events/search/request/parse-search-request.js';
import { compileSingleStatement } from '../../../src/events/search/statement/page.js';
import { knownOf } from '../../support/reference/near-words.js';

const context: SearchContext = {
  now: new Date('2026-03-01T12:00:00Z'),
  timezone: 'UTC',
  below: () => [],
  ...knownOf([
    { 'child.name': { firstname: 'Musonda', surname: 'Banda' }, 'child.place': 'Musonda Street 20' },
    { 'child.name': { firstname: 'Muzonda', surname: 'Bandah' }, 'mother.name': { firstname: 'Musonda' } },
  ]),
};
const fuzzy = (term: string) => ({ type: 'fuzzy', term });
const request = parseSearchRequest(
  {
    query: {
      type: 'or',
      clauses: [
        { data: { 'child.name': fuzzy('Musonda Banda') } },
        { data: fuzzy('Musonda') },
        { data: { 'child.name': { firstname: fuzzy('Musonda') } } },
        { data: { 'child.place': { type: 'exact', term: 'Musonda Street 20' } } },
      ],
    },
  },
  { maxLimit: 100 },
);
/** With its parameters in their places: what was worked out once stands in one of them, however often it is used. */
function statementOf(search: CompiledSearch): string {
  const { text, params } = compileSingleStatement(search, UNKNOWN_CARDINALITIES).toQuery();
  const written = params.map((param) => JSON.stringify(param, (_, value: unknown) => toJson(value)));
  return text.replace(/\$(\d+)/g, (_, number: string) => written[Number(number) - 1] ?? '');
}

const toJson = (value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

describe('a context that is prepared', () => {
  it('means the same as one that is not', async () => {
    const ready = compileSearch(request, 'everything', await prepared(request.query, context));
    const unprepared = compileSearch(request, 'everything', context);
    expect(statementOf(ready)).toEqual(statementOf(unprepared));
  });
});
