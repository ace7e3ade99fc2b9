import { TERMS } from '../support/terms.js';
import { DictionaryFollower } from '../../src/events/index/near-words/dictionary-follower.js';
import { UNKNOWN_CARDINALITIES } from '../../src/events/index/statistics/cardinalities.js';
import { planOf, type SearchPlan } from '../../src/events/search/plan/plan.js';
import { compileSearch } from '../../src/events/search/predicate/compile-search.js';
import { prepared } from '../../src/events/search/predicate/prepared.js';
import { parseSearchRequest } from '../../src/events/search/request/parse-search-request.js';
import type { KindsOfValues } from '../../src/events/search/search-contexts.js';
import { searchInTurn } from '../../src/events/search/search-in-turn.js';
import { SearchRepository } from '../../src/events/search/search.repository.js';
import { aRecord } from '../support/builders/a-record.js';
import { below } from '../support/hierarchy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { storeRecords } from '../support/store-records.js';
import { fuzzy } from '../support/value-conditions.js';

/** How often it was planned, with which words; the turns that it took; and how many records it found. */
interface Course {
  readonly planned: readonly KindsOfValues[];
  readonly turns: readonly string[];
  readonly total: number;
}

describe('a search for names near Bwalya, while others are written after each of its plans', () => {
  let test: TestDatabase;

  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.drop());

  const store = (name: string): Promise<void> =>
    storeRecords(test.database, [aRecord({ declaration: { 'child.name': name } })]);

  async function searchedWhile(written: readonly string[]): Promise<Course> {
    const words = new DictionaryFollower(test.database);
    const body = { query: { clauses: [{ data: { 'child.name': fuzzy('Bwalya') } }] } };
    const { query } = parseSearchRequest(body, { maxLimit: 10 });
    const planned: KindsOfValues[] = [];
    const turns: string[] = [];
    const plan = async (_: AbortSignal, kinds: KindsOfValues): Promise<SearchPlan> => {
      const { reading, ...known } = await words.caughtUp();
      const context = { now: new Date(), timezone: 'UTC', below, terms: TERMS, ...known };
      const readBefore = kinds === 'read once' ? undefined : reading;
      const request = { query, sort: [], limit: 10, offset: 0 };
      const search = compileSearch(request, 'everything', await prepared(query, { ...context, readBefore }));
      const name = written[planned.length];
      if (name !== undefined) await store(name);
      planned.push(kinds);
      return planOf(search, UNKNOWN_CARDINALITIES);
    };
    const { total } = await searchInTurn(new SearchRepository(test.database), plan, 1, {
      signal: new AbortController().signal,
      inTurn: (weight, work) => {
        turns.push(weight);
        return work();
      },
    });
    return { planned, turns, total };
  }

  it.each<[string, readonly string[], Course]>([
    ['is planned once beside none', [], { planned: ['as read'], turns: ['light'], total: 1 }],
    [
      'is planned again beside a name that is not near, and has found all',
      ['Chanda'],
      { planned: ['as read', 'read now'], turns: ['light'], total: 1 },
    ],
    [
      'runs again beside one that is near',
      ['Bwalyb'],
      { planned: ['as read', 'read now'], turns: ['light'], total: 2 },
    ],
    [
      'is planned in its snapshot where they do not end',
      ['Bwalyb', 'Bwalyc', 'Bwalyd', 'Bwalye', 'Bwalyf', 'Bwalyg'],
      { planned: ['as read', 'read now', 'read now', 'read once'], turns: ['light', 'heavy'], total: 4 },
    ],
  ])('%s', async (_, written, course) => {
    await store('Bwalya');
    expect(await searchedWhile(written)).toEqual(course);
  });
});
