import fc from 'fast-check';
import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import { foldDirty } from '../../src/events/index/bitmaps/write-bitmaps.js';
import { runAtOnce, runInPhases } from '../../src/events/search/answer/run-search.js';
import type { SearchPlan } from '../../src/events/search/plan/plan.js';
import { withPage } from '../../src/events/search/answer/search-result.js';
import { SearchRepository } from '../../src/events/search/search.repository.js';
import { type Sql, sql } from '../../src/kernel/sql/sql.js';
import { aCountedRequest } from '../support/arbitrary-counted-request.js';
import { someRecords } from '../support/arbitrary-record.js';
import { CountedSearches, FREQUENT, RARE, shown, type Terms } from '../support/counted-searches.js';
import { untilLocksAreAwaited } from '../support/database-activity.js';
import { deleteRecords } from '../support/delete-records.js';
import { aRecord } from '../support/builders/a-record.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { storeRecords } from '../support/store-records.js';
import { RECORD_NUMBERS } from '../support/vocabulary.js';

/** So that some are found by the index of terms, beside those that have bitmaps. */
const someAreRare = (term: bigint): number => (term % 3n === 0n ? RARE : FREQUENT);

/** What a process believes of the bitmaps: it reads their list from time to time. */
const aBelief = fc.constantFrom<(really: Terms, every: Terms) => Terms>(
  (really) => really,
  (really) => new Set([...really].filter((_, at) => at % 3 !== 1)),
  (_, every) => every,
);

describe('a search with many matches that bitmaps count', () => {
  let test: TestDatabase;
  let searches: CountedSearches;

  beforeAll(async () => {
    test = await createTestDatabase();
    searches = new CountedSearches(test.database);
  });

  afterAll(() => test.drop());

  beforeEach(() => test.database.query(sql`truncate event, bitmap, bitmap_begun, bitmap_chunk, bitmap_dirty cascade`));

  it('is answered by one statement as by the one that goes through all of them, whatever is believed', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(
        someRecords(RECORD_NUMBERS.length),
        fc.array(fc.record({ request: aCountedRequest, belief: aBelief, isShort: fc.boolean() }), {
          minLength: 20,
          maxLength: 20,
        }),
        fc.oneof(fc.nat(20), fc.constant(1_000)),
        async (records, cases, folded) => {
          await test.database.query(sql`truncate event, bitmap, bitmap_begun, bitmap_chunk, bitmap_dirty cascade`);
          const middle = Math.floor(records.length / 2);
          await storeRecords(test.database, records.slice(0, middle));
          await searches.buildBitmaps([...(await searches.termsIn('records'))].filter((_, at) => at % 5 !== 0));
          await storeRecords(test.database, records.slice(middle));
          await test.database.transaction(async (transaction) => {
            const gone = records.filter((_, at) => at % 7 === 1).map(({ id }) => id);
            await deleteRecords(transaction, gone);
            await foldDirty(transaction, folded);
          });
          const [really, every] = [await searches.termsIn('bitmaps'), await searches.termsIn('records')];
          for (const { request, belief, isShort } of cases) {
            const search = await searches.compiled(request);
            const plan = searches.plannedWith(search, belief(really, new Set([0n, ...every])), someAreRare);
            const found = await searches.counted(plan, test.database, isShort ? { slack: 0, least: 3 } : undefined);
            if (found === undefined) continue;
            answered += 1;
            expect({ request, ...shown(found) }).toEqual({ request, ...(await searches.allOf(search)) });
          }
        },
      ),
      { numRuns: 2, endOnFailure: true },
    );
    expect(answered).toBeGreaterThan(0);
  });

  describe('of three records, two of which match', () => {
    let plan: SearchPlan;
    const [type, status] = [aRecord().type, aRecord().status];

    beforeEach(async () => {
      await storeRecords(test.database, [aRecord(), aRecord(), aRecord({ type: `not-${type}` })]);
      await searches.buildBitmaps([...(await searches.termsIn('records'))]);
      const body = { query: { clauses: [{ eventType: type, status: { type: 'exact', term: status } }] }, limit: 2 };
      plan = searches.plannedWith(await searches.compiled({ body }), await searches.termsIn('bitmaps'));
    });

    it.each(['createdAt', 'declaration.child.name'])(
      'is sorted by when it was updated, and then by %s',
      async (then) => {
        const body = {
          query: { clauses: [{ eventType: type, status: { type: 'exact', term: status } }] },
          sort: [{ field: 'updatedAt' }, { field: then }],
        };
        const sorted = searches.plannedWith(await searches.compiled({ body }), plan.cardinalities.tracked);
        const { total, bodies } = await new SearchRepository(test.database).run(sorted);
        expect([total, bodies.length]).toEqual([2, 2]);
      },
    );

    const totalOf = async (planned = plan): Promise<number | undefined> => (await searches.counted(planned))?.total;

    const noting = (note: (statement: Sql) => void): Queryable => ({
      query: (statement) => {
        note(statement);
        return test.database.query(statement);
      },
    });

    it('is answered without a transaction', async () => {
      expect(await runAtOnce(test.database, plan)).toMatchObject({ total: 2, rows: [{}, {}] });
    });

    it('is found and counted by one statement where it is small and no bitmap is believed in', async () => {
      const asked: Sql[] = [];
      const counting = noting((statement) => asked.push(statement));
      const unknown = { ...plan.cardinalities, tracked: new Set<bigint>() };
      const small = await runAtOnce(counting, { ...plan, kind: 'bitmaps-first', cardinalities: unknown });
      expect([small, asked.length]).toMatchObject([{ total: 2, rows: [{}, {}] }, 1]);
      expect(await runAtOnce(counting, { ...plan, kind: 'two-phase', cardinalities: unknown })).toBe('not counted');
      expect(asked.length).toBe(1);
    });

    it.each([
      ['not counted', true],
      ['walked in vain', false],
    ] as const)('is walked to in phases where it was %s: %s', async (why, isWalked) => {
      const texts: string[] = [];
      const reader = noting((statement) => texts.push(statement.toQuery().text));
      const body = { query: { clauses: [{ eventType: type }] }, limit: 1 };
      const every = await searches.compiled({ body });
      const ofThree = { ...plan, search: every, cardinalities: { ...plan.cardinalities, records: 3 } };
      const found = await runInPhases(reader, ofThree, why);
      expect([shown(found), texts.some((text) => text.includes('from matching'))]).toEqual([
        await searches.allOf(every),
        isWalked,
      ]);
    });

    it('is counted once, and its page is read only where it is counted', async () => {
      const planned: string[] = [];
      const explaining: Queryable = {
        query: async (statement) => {
          const rows = await test.database.query<Record<string, string>>(
            sql`explain (analyze, costs off) ${statement}`,
          );
          planned.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
          return test.database.query(statement);
        },
      };
      await searches.counted(plan, explaining);
      await test.database.query(sql`truncate bitmap, bitmap_begun, bitmap_chunk`);
      await searches.counted(plan, explaining);
      const scans = planned.map((text) => text.match(/Scan(?: using \w+)? on event_search(?: s)? \(.*/)?.[0] ?? '');
      expect(planned.map((text) => text.match(/CTE bitmap_match/g)?.length)).toEqual([1, 1]);
      expect(scans.map((scan) => scan.includes('never executed'))).toEqual([false, true]);
    });

    it.each([0, 2])('holds nothing that a reindex needs while it waits for that, at a limit of %i', async (limit) => {
      const searching = await test.database.transaction(async (reindex) => {
        await reindex.query(sql`lock table event_search in access exclusive mode`);
        const begun = searches.counted(withPage(plan, { limit }));
        await untilLocksAreAwaited(test.database, 1, 'relation');
        const rest = sql`event_document, bitmap, bitmap_begun, bitmap_chunk, bitmap_dirty`;
        await reindex.query(sql`lock table ${rest} in access exclusive mode nowait`);
        return { begun };
      });
      expect((await searching.begun)?.total).toBe(2);
    });

    it('is not counted where a bitmap that was believed in is gone', async () => {
      expect(await totalOf()).toBe(2);
      await test.database.query(sql`truncate bitmap, bitmap_begun, bitmap_chunk`);
      expect(await totalOf()).toBeUndefined();
    });

    it('is not counted where none is believed in', async () => {
      const tracked = new Set<bigint>();
      expect(await totalOf({ ...plan, cardinalities: { ...plan.cardinalities, tracked } })).toBeUndefined();
    });

    it('is not counted where much is marked', async () => {
      const mark = (from: number, to: number) =>
        test.database.query(
          sql`insert into bitmap_dirty (seq, terms, updated_at) select g + 1000000, '{}', '-infinity' from generate_series(${from}::int, ${to}::int) g`,
        );
      await test.database.query(sql`truncate bitmap_dirty`);
      await mark(1, 10_000);
      expect(await totalOf()).toBe(2);
      await mark(10_001, 10_001);
      expect(await totalOf()).toBeUndefined();
    });

    it('is not counted where a term is in doubt', async () => {
      expect(await totalOf()).toBe(2);
      await test.database.query(sql`
        insert into term_doubt (hash) select hash from term where hash = any(${[...(await searches.termsIn('bitmaps'))]}::bigint[])`);
      expect(await totalOf()).toBeUndefined();
      await test.database.query(sql`truncate term_doubt`);
    });
  });
});
