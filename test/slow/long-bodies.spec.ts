import type { RowFilter } from '../../src/kernel/domain/scopes/caller.js';
import { UNKNOWN_CARDINALITIES } from '../../src/events/index/statistics/cardinalities.js';
import type { SearchRequest } from '../../src/kernel/domain/search-request.js';
import { idOfBody } from '../../src/events/records/record-row.js';
import { exportRecords, streamPage } from '../../src/events/search/answer/stream-page.js';
import { planOf } from '../../src/events/search/plan/plan.js';
import { compileSearch } from '../../src/events/search/predicate/compile-search.js';
import { compileExport } from '../../src/events/search/statement/page.js';
import { aRecord } from '../support/builders/a-record.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { anInstant } from '../support/builders/an-instant.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { knownOf } from '../support/reference/near-words.js';
import { storeRecords } from '../support/store-records.js';

/** In code points of one text; a hundred of the longest that can be written take a hundred megabytes. */
const LENGTHS = [1, 1, 60_000, 60_000, 1, 60_000, 1];

const records = LENGTHS.map((length, at) =>
  aRecord({
    // The order of writing is not that of ids.
    id: aUuid(100 - at),
    createdAt: anInstant('1990-01-01T00:00:00Z'),
    updatedAt: anInstant(`2020-01-0${at + 1}T00:00:00Z`),
    declaration: { note: '漢'.repeat(length) },
  }),
);
/** Each long one is a part of its own. */
const PARTS = [[0, 1], [2], [3], [4], [5], [6]].map((part) => part.map((at) => records[at]?.id));

const context = { now: new Date(0), timezone: 'UTC', below: () => [], ...knownOf([]) };
const request: SearchRequest = {
  query: { kind: 'and', clauses: [{ kind: 'expression', conditions: [] }] },
  sort: [{ field: { on: 'record', name: 'updatedAt' }, direction: 'asc' }],
  limit: 1_000,
  offset: 0,
};

describe('records that are too long to be read together', () => {
  let test: TestDatabase;
  const parts: string[][] = [];
  const take = (bodies: readonly string[]): Promise<void> => {
    for (const body of bodies) expect(records).toContainEqual(JSON.parse(body));
    parts.push(bodies.map(idOfBody));
    return Promise.resolve();
  };

  beforeAll(async () => {
    test = await createTestDatabase();
    // One after another: those of one write are written in the order of their ids.
    for (const record of records) await storeRecords(test.database, [record]);
  });

  afterAll(() => test.drop());

  beforeEach(() => {
    parts.length = 0;
  });

  it.each<[string, SearchRequest['sort'], RowFilter]>([
    ['in the order of writing', [], 'everything'],
    ['sorted', request.sort, 'everything'],
    ['to somebody who is shown other bodies', [], [{ flags: { noneOf: ['sealed'] } }]],
  ])('are exported one by one: %s', async (_, sort, rowFilter) => {
    const exported = compileExport(
      { query: request.query, sort },
      { rowFilter, context, cardinalities: UNKNOWN_CARDINALITIES },
    );
    await exportRecords(test.database, () => Promise.resolve(exported), take);
    expect(parts).toEqual(PARTS);
  });

  it('are read one by one for a page', async () => {
    const plan = planOf(compileSearch(request, 'everything', context), UNKNOWN_CARDINALITIES);
    await streamPage(
      test.database,
      () => Promise.resolve(plan),
      async ({ total, ids }, bodies) => {
        expect([total, ids]).toEqual([records.length, records.map(({ id }) => id)]);
        for await (const some of bodies) await take(some);
      },
      new AbortController().signal,
    );
    expect(parts).toEqual(PARTS);
  });
});
