import { UNKNOWN_CARDINALITIES } from '../../../src/events/index/statistics/cardinalities.js';
import { type CompiledSearch, compileSearch, inDoubt } from '../../../src/events/search/predicate/compile-search.js';
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
async function statementInDoubt(search: CompiledSearch): Promise<string> {
  const { text, params } = compileSingleStatement(await inDoubt(search), UNKNOWN_CARDINALITIES).toQuery();
  const written = params.map((param) => JSON.stringify(param, (_, value: unknown) => toJson(value)));
  return text.replace(/\$(\d+)/g, (_, number: string) => written[Number(number) - 1] ?? '');
}

const toJson = (value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

describe('a context that is prepared', () => {
  it('means the same in doubt as one that is not', async () => {
    const ready = compileSearch(request, 'everything', await prepared(request.query, context));
    const unprepared = compileSearch(request, 'everything', context);
    expect(await statementInDoubt(ready)).toEqual(await statementInDoubt(unprepared));
  });

  it('lets others have their turns while a search in doubt is worked out, and gives up when nobody waits', async () => {
    const controller = new AbortController();
    const { prepareDoubt } = await prepared(request.query, context, controller.signal);
    let turns = 0;
    setImmediate(() => {
      turns += 1;
    });
    await prepareDoubt?.();
    expect(turns).toBe(1);
    controller.abort(new Error('gone'));
    await expect(prepareDoubt?.()).rejects.toThrow('gone');
  });
});
