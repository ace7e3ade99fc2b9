import { TERMS } from '../support/terms.js';
import { UNKNOWN_CARDINALITIES } from '../../src/events/index/statistics/cardinalities.js';
import { planOf, type SearchPlan } from '../../src/events/search/plan/plan.js';
import { compileSearch } from '../../src/events/search/predicate/compile-search.js';
import { parseSearchRequest } from '../../src/events/search/request/parse-search-request.js';
import type { InSnapshot } from '../../src/events/search/search-planner.js';
import { SearchRepository } from '../../src/events/search/search.repository.js';
import { aRecord } from '../support/builders/a-record.js';
import { below } from '../support/hierarchy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { knownFor } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';
import { fuzzy } from '../support/value-conditions.js';

describe('a search for names near Bwalya', () => {
  let test: TestDatabase;

  beforeEach(async () => {
    test = await createTestDatabase();
    await store('Bwalya');
  });
  afterEach(() => test.drop());

  const store = (name: string): Promise<void> =>
    storeRecords(test.database, [aRecord({ declaration: { 'child.name': name } })]);

  const body = { query: { clauses: [{ data: { 'child.name': fuzzy('Bwalya') } }] } };
  const { query } = parseSearchRequest(body, { maxLimit: 10 });

  /** The turns that it took, and how many records it found, if there are so many of each term. */
  async function searched(ofTerm: number, meanwhile: () => Promise<void>) {
    const turns: string[] = [];
    const plan: InSnapshot<SearchPlan> = async (snapshot) => {
      const known = await knownFor(snapshot, query);
      const context = { now: new Date(), timezone: 'UTC', below, terms: TERMS, ...known };
      await meanwhile();
      const request = { query, sort: [], limit: 10, offset: 0 };
      const cardinalities = { ...UNKNOWN_CARDINALITIES, records: 10 * ofTerm, ofTerm: () => ofTerm };
      return planOf(compileSearch(request, 'everything', context), cardinalities);
    };
    const { total } = await new SearchRepository(test.database).runInTurn(
      { query, plan, width: 1 },
      {
        signal: new AbortController().signal,
        inTurn: (weight, work) => {
          turns.push(weight);
          return work();
        },
      },
    );
    return { turns, total };
  }

  it('finds what there was when it began, however many are written meanwhile, and then those too', async () => {
    const names = ['Bwalyb', 'Chanda'];
    const writeOne = async (): Promise<void> => {
      const name = names.pop();
      if (name !== undefined) await store(name);
    };
    expect(await searched(1, writeOne)).toEqual({ turns: ['light'], total: 1 });
    expect(await searched(1, writeOne)).toEqual({ turns: ['light'], total: 1 });
    expect(await searched(1, writeOne)).toEqual({ turns: ['light'], total: 2 });
  });

  it('begins again in the turn of a heavy one where its plan is heavy (Q-2)', async () => {
    expect(await searched(1_000_000, () => Promise.resolve())).toEqual({ turns: ['light', 'heavy'], total: 1 });
  });
});
