import fc from 'fast-check';
import { StatementNames } from '../../src/platform/database/pools/connections.js';
import { CHUNK_BITS } from '../../src/events/index/bitmaps/bitmap.js';
import { UPDATE_SLICES } from '../../src/events/index/bitmaps/update-period.js';
import type { Instant } from '../../src/kernel/domain/calendar.js';
import type { SortKey } from '../../src/kernel/domain/search-request.js';
import { importRecords } from '../../src/events/import/import-records.js';
import { isAnswered, runAtOnce } from '../../src/events/search/answer/run-search.js';
import { areSlicesWorthwhile } from '../../src/events/search/plan/by-slices.js';
import type { SearchPlan } from '../../src/events/search/plan/plan.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aCountedRequest } from '../support/arbitrary-counted-request.js';
import { someRecords } from '../support/arbitrary-record.js';
import { aRecord } from '../support/builders/a-record.js';
import { anInstant } from '../support/builders/an-instant.js';
import { CountedSearches, FREQUENT, RARE, shown, type ShownPage } from '../support/counted-searches.js';
import { deleteRecords } from '../support/delete-records.js';
import { ndjson } from '../support/ndjson.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { applyMarks, buildWithSlices, updated, wrongBits } from '../support/slices.js';
import { storeRecords } from '../support/store-records.js';
import { RECORD_NUMBERS } from '../support/vocabulary.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

/** In one period and in several, where periods begin and end, and before and after all of them. */
const TIMES = [
  '1970-01-01T00:00:00Z',
  '1999-12-21T22:32:31.999Z',
  '2000-01-03T01:48:47.999Z',
  '2000-01-03T01:48:48Z',
  '2012-06-30T12:00:00Z',
  '2025-12-31T23:59:59Z',
  '2026-01-01T00:00:00Z',
  '2026-03-01T11:00:00Z',
  '2135-12-31T00:00:00Z',
  '2136-01-31T00:00:00Z',
  '2300-01-01T00:00:00Z',
].map(anInstant);

/** One that mostly ends before the page is full, and one that fills it. */
const WALKS = [{ slack: 0, least: 3 }, undefined];

/** The usual order, the same spelt out, and the others by when records were updated. */
const ORDERS: readonly (readonly SortKey[])[] = [
  [],
  [{ field: { on: 'record', name: 'updatedAt' }, direction: 'desc' }],
  [{ field: { on: 'record', name: 'updatedAt' }, direction: 'asc' }],
];

let test: TestDatabase;
let searches: CountedSearches;

beforeAll(async () => {
  test = await createTestDatabase();
  searches = new CountedSearches(test.database);
});
afterAll(() => test.drop());

beforeEach(() => test.database.query(sql`truncate event, bitmap, bitmap_begun, bitmap_chunk, bitmap_dirty cascade`));

const fold = (most?: number): Promise<number> => applyMarks(test.database, most);

/** Makes bitmaps of these terms, of every record, and the slices; and applies what is marked. */
const build = (terms: readonly bigint[], slices = UPDATE_SLICES): Promise<void> =>
  buildWithSlices(test.database, terms, slices);

/** The next records have their bits so many rows of bits further on. */
const passOver = (rows: number) =>
  test.database.query(sql`
    select setval(pg_get_serial_sequence('event', 'seq'),
                  (select coalesce(max(seq), 0) + 1 from event) + ${rows * CHUNK_BITS}::bigint, false)`);

/** As if so many matched that any page is a small part of them, and a walk to it comes first. */
const ofMany = (plan: SearchPlan): SearchPlan => ({ ...plan, matches: 1_000_000 });

/** As if so few matched that slices come first. */
const ofFewer = (plan: SearchPlan): SearchPlan => ({ ...plan, matches: 60 });

describe('a page by the slices of updates', () => {
  describe('of records of which the older ones match', () => {
    const { type } = aRecord();
    const MATCHES = 300;

    /** The statements by which a page was found, and whether it is that of all matches. */
    async function pageOf(plan: SearchPlan): Promise<readonly [string[], boolean]> {
      const texts: string[] = [];
      const found = await runAtOnce(
        {
          query: (statement) => {
            texts.push(statement.toQuery().text);
            return test.database.query(statement);
          },
        },
        plan,
      );
      const all = await searches.allOf(plan.search);
      return [texts, isAnswered(found) && JSON.stringify(shown(found)) === JSON.stringify(all)];
    }

    /** The plan of each statement by which a page is found, as lines. */
    async function explained(plan: SearchPlan): Promise<readonly string[][]> {
      const plans: string[][] = [];
      await searches.counted(plan, {
        query: async (statement) => {
          const rows = await test.database.query<Record<string, string>>(
            sql`explain (analyze, costs off, timing off, buffers off) ${statement}`,
          );
          plans.push(rows.map((row) => row['QUERY PLAN'] ?? ''));
          return test.database.query(statement);
        },
      });
      return plans;
    }

    const planned = async (body: object = {}): Promise<SearchPlan> => {
      const search = await searches.compiled({
        body: { query: { clauses: [{ eventType: type }] }, limit: 3, ...body },
      });
      const plan = searches.plannedWith(search, await searches.termsIn('bitmaps'), () => MATCHES, 2 * MATCHES);
      return { ...plan, matches: MATCHES };
    };

    beforeEach(async () => {
      const at = (year: number, day: number): Instant => anInstant(new Date(Date.UTC(year, 0, day)).toISOString());
      await storeRecords(
        test.database,
        Array.from({ length: MATCHES }, (_, day) => [
          aRecord({ updatedAt: at(2020, day) }),
          aRecord({ type: `not-${type}`, updatedAt: at(2024, day) }),
        ]).flat(),
      );
    });

    it('reads fewer than two rows of records for each of its own', async () => {
      await build([...(await searches.termsIn('records'))]);
      const plan = await planned({ limit: 40 });
      const [texts, isThatOfAll] = await pageOf(plan);
      expect([texts.length, texts[0]?.includes('descent'), isThatOfAll]).toEqual([1, true, true]);
      // By seq are read those of later periods, and along the index those of the last one: not the newer ones before.
      const [lines = []] = await explained(plan);
      const rows = lines
        .filter((line) => / on event_search\b.*\(actual rows=/.test(line))
        .map(
          (line) => Number(/rows=(\d+(?:\.\d+)?) loops=(\d+)/.exec(line)?.[1]) * Number(/loops=(\d+)/.exec(line)?.[1]),
        );
      expect(rows.length).toBeGreaterThan(1);
      expect(rows.reduce((all, some) => all + some, 0)).toBeLessThan(2 * 40);
    });

    it('is found in the same statement where a walk was in vain', async () => {
      await build([...(await searches.termsIn('records'))]);
      const plan = ofMany(await planned());
      // So few of so many that a walk is not begun.
      const cardinalities = { ...plan.cardinalities, records: 1_000_000 };
      const [texts, isThatOfAll] = await pageOf({ ...plan, cardinalities });
      expect([texts.map((text) => text.includes('descent')), isThatOfAll]).toEqual([[true], true]);
    });

    it('is prepared, and so planned once for a connection', async () => {
      await build([...(await searches.termsIn('records'))]);
      const names = new StatementNames();
      const given: unknown[] = [];
      await searches.counted(await planned(), {
        query: (statement) => {
          given.push(...[1, 2].map(() => names.nameOf(statement.toQuery())));
          return test.database.query(statement);
        },
      });
      // The first time a text is seen it is not prepared yet.
      expect(given).toEqual([undefined, expect.any(String)]);
    });

    it('reads no slices where a walk fills the page', async () => {
      await build([...(await searches.termsIn('records'))]);
      const [plan] = await explained(ofMany(await planned()));
      const lines = plan?.filter((line) => / on descent/.test(line)) ?? [];
      expect([lines.length > 0, lines.every((line) => line.includes('never executed'))]).toEqual([true, true]);
    });

    it.each([
      ['in another order', { sort: [{ field: 'createdAt', direction: 'desc' }] }, undefined],
      ['with the oldest first', { sort: [{ field: 'updatedAt', direction: 'asc' }] }, undefined],
      ['after a cursor', {}, sql`updated_at <= '2020-06-01'`],
      ['too deep among its matches', { offset: MATCHES / 2 }, undefined],
    ])('is not asked for %s', async (_, more, after) => {
      await build([...(await searches.termsIn('records'))]);
      const plan = await planned(more);
      const { page } = plan.search;
      const asked = after === undefined ? plan : { ...plan, search: { ...plan.search, page: { ...page, after } } };
      const [texts, isThatOfAll] = await pageOf(asked);
      expect([texts.some((text) => text.includes('descent')), isThatOfAll]).toEqual([false, true]);
    });

    it('is not asked for far down, however many match', async () => {
      await build([...(await searches.termsIn('records'))]);
      const { search, cardinalities } = await planned({ limit: 100, offset: 901 });
      const matches = 90_000;
      expect([
        areSlicesWorthwhile(search.page, matches, cardinalities),
        areSlicesWorthwhile({ ...search.page, offset: 900 }, matches, cardinalities),
      ]).toEqual([false, true]);
    });

    it('is not asked for where a slice is missing', async () => {
      await build([...(await searches.termsIn('records'))], UPDATE_SLICES.slice(1));
      const texts = (await pageOf(await planned()))[0];
      expect(texts.some((text) => text.includes('descent'))).toBe(false);
    });
  });

  it('is that of all matches, whenever they were updated and whatever has changed since', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(
        someRecords(RECORD_NUMBERS.length),
        fc.array(fc.constantFrom(...TIMES), { minLength: 40, maxLength: 40 }),
        fc.array(aCountedRequest, { minLength: 20, maxLength: 20 }),
        fc.oneof(fc.nat(20), fc.constant(1_000)),
        fc.constantFrom(0, 1, 3),
        async (drawn, times, requests, folded, rowsBetween) => {
          await test.database.query(sql`truncate event, bitmap, bitmap_begun, bitmap_chunk, bitmap_dirty cascade`);
          const records = drawn.map((record, at) => updated(record, times[at % times.length] ?? record.updatedAt));
          const middle = Math.floor(records.length / 2);
          await storeRecords(test.database, records.slice(0, middle));
          await passOver(rowsBetween);
          await storeRecords(test.database, records.slice(middle, middle + 5));
          await build([...(await searches.termsIn('records'))].filter((_, at) => at % 5 !== 0));
          await passOver(rowsBetween);
          await storeRecords(test.database, records.slice(middle + 5));
          await test.database.transaction(async (transaction) => {
            const gone = records.filter((_, at) => at % 7 === 1).map(({ id }) => id);
            await deleteRecords(transaction, gone);
          });
          const again = records.filter((_, at) => at % 7 === 3);
          const later = again.map((one, at) => updated(one, times[(at + 1) % times.length] ?? one.updatedAt));
          await importRecords(test.database, WITHOUT_FORMS, ndjson(later));
          await fold(folded);
          expect(await wrongBits(test.database)).toEqual([]);
          const tracked = await searches.termsIn('bitmaps');
          for (const [at, request] of requests.entries()) {
            const search = await searches.compiled({ ...request, sort: ORDERS[at % ORDERS.length] ?? [] });
            const rare = (term: bigint): number => (term % 3n === 0n ? RARE : FREQUENT);
            const plan = searches.plannedWith(search, tracked, rare);
            const asked = at % 4 < 2 ? ofFewer(plan) : ofMany(plan);
            const found = await searches.counted(asked, test.database, WALKS[at % WALKS.length]);
            if (found === undefined) continue;
            answered += 1;
            expect({ request, ...shown(found) }).toEqual({ request, ...(await searches.allOf(search)) });
          }
        },
      ),
      { numRuns: 3, endOnFailure: true },
    );
    expect(answered).toBeGreaterThan(0);
  });
});

describe('where one period has nearly all records', () => {
  const { type } = aRecord();
  const at = (minute: number): Instant => anInstant(new Date(Date.UTC(2026, 0, 10, 0, minute)).toISOString());

  /** The page of three of the 20 oldest records, which match; so many others were updated later. */
  async function pageBefore(others: number): Promise<readonly [ShownPage | undefined, ShownPage]> {
    await storeRecords(test.database, [
      ...Array.from({ length: 20 }, (_, minute) => aRecord({ updatedAt: at(minute) })),
      ...Array.from({ length: others }, (_, minute) => aRecord({ type: `not-${type}`, updatedAt: at(100 + minute) })),
    ]);
    await build([...(await searches.termsIn('records'))]);
    const search = await searches.compiled({ body: { query: { clauses: [{ eventType: type }] }, limit: 3 } });
    const plan = ofFewer(searches.plannedWith(search, await searches.termsIn('bitmaps')));
    const found = await searches.counted(plan, test.database, { slack: 4, least: 3 });
    return [found && shown(found), await searches.allOf(search)];
  }

  it('a page is found behind fewer than three entries for each match', async () => {
    const [found, all] = await pageBefore(39);
    expect(found).toEqual(all);
  });

  it('a page is given up behind three entries for each match: all of them are found sooner', async () => {
    expect((await pageBefore(60))[0]).toBeUndefined();
  });
});
