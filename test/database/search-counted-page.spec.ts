import fc from 'fast-check';

import type { Queryable } from '../../src/database/queryable.js';
import { buildBitmap, foldDirty, forgetBitmap, mayWriteBitmaps } from '../../src/derived/bitmaps/write-bitmaps.js';
import { DictionaryFollower } from '../../src/derived/near-words/dictionary-follower.js';
import { NO_WORDS } from '../../src/derived/near-words/fuzzy-dictionary.js';
import type { Cardinalities } from '../../src/derived/statistics/cardinalities.js';
import { UNKNOWN_CARDINALITIES } from '../../src/derived/statistics/cardinalities.js';
import { deleteEvents } from '../../src/records/store/delete-events.js';
import { lockStoredEvents } from '../../src/records/stored-events.js';
import { countedPage, countedByKnownBitmaps } from '../../src/search/answer/counted-page.js';
import type { SearchRequest } from '../../src/domain/search-request.js';
import type { Found } from '../../src/search/answer/found.js';
import type { WalkBounds } from '../../src/search/answer/near-rows.js';
import { isAnswered, runAtOnce, runInPhases } from '../../src/search/answer/run-search.js';
import { bitmapTermsOf } from '../../src/search/plan/bitmap-terms.js';
import type { SearchPlan } from '../../src/search/plan/plan.js';
import { planOf } from '../../src/search/plan/plan.js';
import type { CompiledSearch } from '../../src/search/predicate/compile-search.js';
import { compileSearch } from '../../src/search/predicate/compile-search.js';
import { parseSearchRequest } from '../../src/search/request/parse-search-request.js';
import { withPage } from '../../src/search/answer/search-result.js';
import { SearchRepository } from '../../src/search/search.repository.js';
import type { Sql } from '../../src/sql/sql.js';
import { sql } from '../../src/sql/sql.js';
import { aCountedRequest } from '../support/arbitrary-counted-request.js';
import { someRecords } from '../support/arbitrary-record.js';
import { untilLocksAreAwaited } from '../support/database-activity.js';
import { aRecord } from '../support/builders/a-record.js';
import { below } from '../support/hierarchy.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';
import { storeRecords } from '../support/store-records.js';
import { NOW, RECORD_NUMBERS } from '../support/vocabulary.js';

type Terms = ReadonlySet<bigint>;

type OfTerm = Cardinalities['ofTerm'];

const everyTermIsFrequent: OfTerm = () => 400_000;

/** So that some are found by the index of terms, beside those that have bitmaps. */
const someAreRare: OfTerm = (term) => (term % 3n === 0n ? 10 : 400_000);

/** What a process believes of the bitmaps: it reads their list from time to time. */
const aBelief = fc.constantFrom<(really: Terms, every: Terms) => Terms>(
  (really) => really,
  (really) => new Set([...really].filter((_, at) => at % 3 !== 1)),
  (_, every) => every,
);

describe('a search with many matches that bitmaps count', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });

  afterAll(() => test.drop());

  beforeEach(() => test.database.query(sql`truncate event, facet, facet_dirty cascade`));

  const termsIn = async (table: 'records' | 'bitmaps'): Promise<Terms> => {
    const rows = await test.database.query<{ term: string }>(
      table === 'records'
        ? sql`select distinct unnest(terms)::text as term from event_search order by 1`
        : sql`select term::text from facet order by 1`,
    );
    return new Set(rows.map(({ term }) => BigInt(term)));
  };

  const buildBitmaps = (terms: readonly bigint[]): Promise<void> =>
    test.database.transaction(async (transaction) => {
      expect(await mayWriteBitmaps(transaction)).toBe(true);
      for (const term of [0n, ...terms]) await buildBitmap(transaction, term);
    });

  const compiled = async (request: SearchRequest): Promise<CompiledSearch> => {
    const { shapes } = await new DictionaryFollower(test.database).caughtUp();
    const context = { now: NOW, timezone: 'UTC', callerSubject: 'caller', below, dictionary: NO_WORDS, shapes };
    return compileSearch(request, 'everything', context);
  };

  /** Planned as in a country so large that every search has many matches. */
  const plannedWith = (search: CompiledSearch, tracked: Terms, ofTerm = everyTermIsFrequent): SearchPlan => ({
    ...planOf(search, { ...UNKNOWN_CARDINALITIES, records: 1_000_000, ofTerm, tracked }),
    kind: 'two-phase',
  });

  const counted = async (reader: Queryable, plan: SearchPlan, walk?: WalkBounds): Promise<Found | undefined> => {
    const known = countedByKnownBitmaps(plan);
    const found = known && (await countedPage(reader, plan, known, walk));
    return found !== undefined && isAnswered(found) ? found : undefined;
  };

  const shown = ({ total, rows }: Found) => ({ total, bodies: rows.map(({ body }) => body) });

  /** By the statement that goes through all matches. */
  const allOf = async (search: CompiledSearch) => {
    const { total, bodies } = await new SearchRepository(test.database).run(planOf(search, UNKNOWN_CARDINALITIES));
    return { total, bodies };
  };

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
          await test.database.query(sql`truncate event, facet, facet_dirty cascade`);
          const middle = Math.floor(records.length / 2);
          await storeRecords(test.database, records.slice(0, middle));
          await buildBitmaps([...(await termsIn('records'))].filter((_, at) => at % 5 !== 0));
          await storeRecords(test.database, records.slice(middle));
          await test.database.transaction(async (transaction) => {
            const gone = records.filter((_, at) => at % 7 === 1).map(({ id }) => id);
            await deleteEvents(transaction, [...(await lockStoredEvents(transaction, gone)).values()]);
            await foldDirty(transaction, folded);
          });
          const [really, every] = [await termsIn('bitmaps'), await termsIn('records')];
          for (const { request, belief, isShort } of cases) {
            const search = await compiled(request);
            const plan = plannedWith(search, belief(really, new Set([0n, ...every])), someAreRare);
            const found = await counted(test.database, plan, isShort ? { slack: 0, least: 3 } : undefined);
            if (found === undefined) continue;
            answered += 1;
            expect({ request, ...shown(found) }).toEqual({ request, ...(await allOf(search)) });
          }
        },
      ),
      { numRuns: 4, endOnFailure: true },
    );
    expect(answered).toBeGreaterThan(0);
  });

  describe('of three records, two of which match', () => {
    let plan: SearchPlan;
    const [type, status] = [aRecord().type, aRecord().status];

    beforeEach(async () => {
      await storeRecords(test.database, [aRecord(), aRecord(), aRecord({ type: `not-${type}` })]);
      await buildBitmaps([...(await termsIn('records'))]);
      const body = { query: { clauses: [{ eventType: type, status: { type: 'exact', term: status } }] }, limit: 2 };
      plan = plannedWith(await compiled(parseSearchRequest(body, { maxLimit: 100 })), await termsIn('bitmaps'));
    });

    it.each(['createdAt', 'declaration.child.name'])(
      'is sorted by when it was updated, and then by %s',
      async (then) => {
        const body = {
          query: { clauses: [{ eventType: type, status: { type: 'exact', term: status } }] },
          sort: [{ field: 'updatedAt' }, { field: then }],
        };
        const sorted = plannedWith(
          await compiled(parseSearchRequest(body, { maxLimit: 100 })),
          plan.cardinalities.tracked,
        );
        const { total, bodies } = await new SearchRepository(test.database).run(sorted);
        expect([total, bodies.length]).toEqual([2, 2]);
      },
    );

    const totalOf = async (planned = plan): Promise<number | undefined> =>
      (await counted(test.database, planned))?.total;

    it('has those that an index finds beside those of bitmaps, where a rare term has none', async () => {
      const body = { query: { type: 'or', clauses: [{ eventType: type }, { eventType: `not-${type}` }] } };
      const either = await compiled(parseSearchRequest(body, { maxLimit: 100 }));
      const [, rare] = bitmapTermsOf(either.matches).terms;
      const tracked = new Set([...plan.cardinalities.tracked].filter((term) => term !== rare));
      const planned = plannedWith(either, tracked, (term) => (term === rare ? 10 : 400_000));
      await test.database.query(sql`truncate facet_dirty`);
      const found = await counted(test.database, planned);
      expect([found && shown(found), found?.total]).toEqual([await allOf(either), 3]);
    });

    it('is found and counted where most rows of bits between the records are missing', async () => {
      const far = ['60000', '200000', '200001'];
      for (const seq of far) {
        await test.database.query(sql`select setval('event_seq_seq', ${seq}::bigint)`);
        await storeRecords(test.database, [aRecord()]);
      }
      await test.database.transaction(async (transaction) => {
        for (const term of plan.cardinalities.tracked) await forgetBitmap(transaction, term);
      });
      await buildBitmaps([...(await termsIn('records'))]);
      await test.database.query(sql`truncate facet_dirty`);
      const every = await compiled(
        parseSearchRequest({ query: { clauses: [{ eventType: type }] } }, { maxLimit: 100 }),
      );
      const found = await counted(test.database, plannedWith(every, await termsIn('bitmaps')));
      expect([found && shown(found), found?.total]).toEqual([await allOf(every), 2 + far.length]);
    });

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
      const every = await compiled(parseSearchRequest(body, { maxLimit: 100 }));
      const ofThree = { ...plan, search: every, cardinalities: { ...plan.cardinalities, records: 3 } };
      const found = await runInPhases(reader, ofThree, why);
      expect([shown(found), texts.some((text) => text.includes('as walked'))]).toEqual([await allOf(every), isWalked]);
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
      await counted(explaining, plan);
      await test.database.query(sql`delete from facet`);
      await counted(explaining, plan);
      const scans = planned.map((text) => text.match(/Scan(?: using \w+)? on event_search(?: s)? \(.*/)?.[0] ?? '');
      expect(planned.map((text) => text.match(/CTE facet_match/g)?.length)).toEqual([1, 1]);
      expect(scans.map((scan) => scan.includes('never executed'))).toEqual([false, true]);
    });

    it.each([0, 2])('holds nothing that a reindex needs while it waits for that, at a limit of %i', async (limit) => {
      const searching = await test.database.transaction(async (reindex) => {
        await reindex.query(sql`lock table event_search in access exclusive mode`);
        const begun = counted(test.database, withPage(plan, { limit }));
        await untilLocksAreAwaited(test.database, 1, 'relation');
        const rest = sql`event_document, facet, facet_bitmap, facet_dirty`;
        await reindex.query(sql`lock table ${rest} in access exclusive mode nowait`);
        return { begun };
      });
      expect((await searching.begun)?.total).toBe(2);
    });

    it('is not counted where a bitmap that was believed in is gone', async () => {
      expect(await totalOf()).toBe(2);
      await test.database.query(sql`delete from facet`);
      expect(await totalOf()).toBeUndefined();
    });

    it('is not counted where none is believed in', async () => {
      const tracked = new Set<bigint>();
      expect(await totalOf({ ...plan, cardinalities: { ...plan.cardinalities, tracked } })).toBeUndefined();
    });

    it('is not counted where much is marked', async () => {
      const mark = (from: number, to: number) =>
        test.database.query(
          sql`insert into facet_dirty (seq, terms) select g + 1000000, '{}' from generate_series(${from}::int, ${to}::int) g`,
        );
      await test.database.query(sql`truncate facet_dirty`);
      await mark(1, 10_000);
      expect(await totalOf()).toBe(2);
      await mark(10_001, 10_001);
      expect(await totalOf()).toBeUndefined();
    });

    it('is not counted where a term is in doubt', async () => {
      expect(await totalOf()).toBe(2);
      await test.database.query(sql`
        insert into term_doubt (hash) select hash from term where hash = any(${[...(await termsIn('bitmaps'))]}::bigint[])`);
      expect(await totalOf()).toBeUndefined();
      await test.database.query(sql`truncate term_doubt`);
    });
  });
});
