import { TERMS } from '../support/terms.js';
import fc from 'fast-check';
import {
  buildBitmap,
  foldDirty,
  forgetBitmap,
  mayWriteBitmaps,
} from '../../src/events/index/statistics/write-bitmaps.js';
import { type Cardinalities, UNKNOWN_CARDINALITIES } from '../../src/events/index/statistics/cardinalities.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { recordRow } from '../../src/events/records/record-row.js';
import { writeRecords } from '../../src/events/records/write-records.js';
import { twoPhaseSearch, type WalkBounds } from '../../src/events/search/answer/run-search.js';
import { planOf } from '../../src/events/search/plan/plan.js';
import { type CompiledSearch, compileSearch } from '../../src/events/search/predicate/compile-search.js';
import { parseSearchRequest } from '../../src/events/search/request/parse-search-request.js';
import { SearchRepository } from '../../src/events/search/search.repository.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aReach } from '../support/arbitrary-caller.js';
import { aMeetingRequest } from '../support/arbitrary-clause.js';
import { someRecords } from '../support/arbitrary-record.js';
import { aRecord } from '../support/builders/a-record.js';
import { below, DISTRICT, OFFICE, OTHER_PROVINCE, PROVINCE } from '../support/hierarchy.js';
import { LOCATION_FIELDS } from '../../src/events/index/searched-columns.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { knownFor } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';
import { NOW, RECORD_NUMBERS } from '../support/vocabulary.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

const PLACES = [PROVINCE, OTHER_PROVINCE, DISTRICT, OFFICE];

const RUNS = Number(process.env['SEARCH_PROPERTY_RUNS'] ?? 12);
const REQUESTS_PER_RUN = 30;

/** Of a country so large that every search takes two phases and every look at a record is worth while. */
const sizesWhere = (ofTerm: number): Cardinalities => ({
  records: 1_000_000,
  ofTerm: () => ofTerm,
  ofLocations: () => 10,
  ofRareTerm: 0,
  ofInstants: () => 10,
});

const aWalk = fc.constantFrom<WalkBounds>({ slack: 4, least: 2_000 }, { slack: 0, least: 3 });

const aFrequency = fc.constantFrom(10, 60_000, 400_000);

describe('a search with many matches', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });

  afterAll(() => test.drop());

  /** Bits of the terms that `isTracked` picks; and of every record. */
  const trackSome = async (isTracked: (at: number) => boolean): Promise<void> => {
    const rows = await test.database.query<{ term: string }>(
      sql`select distinct unnest(terms)::text as term from event_search order by 1`,
    );
    const terms = [0n, ...rows.map(({ term }) => BigInt(term)).filter((_, at) => isTracked(at))];
    await test.database.transaction(async (transaction) => {
      expect(await mayWriteBitmaps(transaction)).toBe(true);
      for (const term of terms) await buildBitmap(transaction, { term });
      for (const { column } of LOCATION_FIELDS) {
        for (const area of PLACES) {
          const places = below(area);
          await buildBitmap(transaction, { term: TERMS.ofPlaces(column, places), area: { column, places } });
        }
      }
    });
  };

  const inTwoPhases = async (search: CompiledSearch, cardinalities: Cardinalities, walk: WalkBounds) => {
    const { total, rows } = await test.database.snapshot((snapshot) =>
      twoPhaseSearch(snapshot, search, cardinalities, walk),
    );
    return { total, bodies: rows.map(({ body }) => body) };
  };

  const inOneStatement = async (search: CompiledSearch) => {
    const { total, bodies } = await new SearchRepository(test.database).run(planOf(search, UNKNOWN_CARDINALITIES));
    return { total, bodies };
  };

  it('finds what the statement for few matches finds, whatever is tracked, marked and folded', async () => {
    await fc.assert(
      fc.asyncProperty(
        someRecords(RECORD_NUMBERS.length),
        fc.array(fc.record({ request: aMeetingRequest(), reach: aReach, walk: aWalk, ofTerm: aFrequency }), {
          minLength: REQUESTS_PER_RUN,
          maxLength: REQUESTS_PER_RUN,
        }),
        fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
        fc.nat(20),
        async (records, cases, tracked, folded) => {
          await test.database.query(sql`truncate event, bitmap, bitmap_chunk, bitmap_dirty cascade`);
          const middle = Math.floor(records.length / 2);
          await storeRecords(test.database, records.slice(0, middle));
          await trackSome((at) => tracked[at % tracked.length] === true);
          await test.database.transaction((transaction) => foldDirty(transaction, middle - 1));
          await storeRecords(test.database, records.slice(middle));
          await changeSome(test, records);
          await test.database.transaction((transaction) => foldDirty(transaction, folded));
          for (const { request, reach, walk, ofTerm } of cases) {
            const known = await knownFor(test.database, request.query);
            const context = { now: NOW, timezone: 'UTC', below, terms: TERMS, ...known };
            const search = compileSearch(request, reach, context);
            const found = await inTwoPhases(search, sizesWhere(ofTerm), walk);
            expect({ request, ...found }).toEqual({ request, ...(await inOneStatement(search)) });
          }
        },
      ),
      {
        numRuns: RUNS,
        endOnFailure: true,
        reporter: ({ failed, seed, counterexamplePath, errorInstance }) => {
          if (failed) throw new Error(`seed ${seed}, path ${counterexamplePath ?? ''}`, { cause: errorInstance });
        },
      },
    );
  }, 600_000);

  it.each([
    ['one statement, where a moderate number is found by terms', 20_000, 1],
    ['two, where there are more', 400_000, 2],
  ])('is counted and paged by %s', async (_, ofTerm, statements) => {
    await test.database.query(sql`truncate event, bitmap, bitmap_chunk, bitmap_dirty cascade`);
    await storeRecords(test.database, [aRecord(), aRecord()]);
    const body = { query: { clauses: [{ data: { 'child.name': { type: 'exact', term: 'Musonda' } } }] } };
    const request = parseSearchRequest(body, { maxLimit: 100 });
    const known = await knownFor(test.database, request.query);
    const context = { now: NOW, timezone: 'UTC', below, terms: TERMS, ...known };
    const run: string[] = [];
    const found = await test.database.snapshot((snapshot) =>
      twoPhaseSearch(
        {
          query: (statement) => {
            run.push(statement.toQuery().text);
            return snapshot.query(statement);
          },
        },
        compileSearch(request, 'everything', context),
        sizesWhere(ofTerm),
      ),
    );
    // But for the one that asks for bitmaps.
    expect([found.total, found.rows.length, run.length - 1]).toEqual([2, 2, statements]);
  });

  it('folds what was marked, until nothing is', async () => {
    const records = fc.sample(someRecords(5), { numRuns: 1, seed: 1 })[0] ?? [];
    await test.database.query(sql`truncate event, bitmap, bitmap_chunk, bitmap_dirty cascade`);
    await trackSome(() => true);
    await storeRecords(test.database, records);
    const fold = (): Promise<number> => test.database.transaction((transaction) => foldDirty(transaction, 1_000));
    expect([await fold(), await fold()]).toEqual([records.length, 0]);
    const bits = await test.database.query(
      sql`select sum(bit_count(bits))::int as count from bitmap_chunk where term = 0`,
    );
    expect(bits).toEqual([{ count: records.length }]);
  });

  it('lets one transaction write bitmaps at a time, and takes them away whole', async () => {
    await test.database.transaction(async (first) => {
      expect(await mayWriteBitmaps(first)).toBe(true);
      expect(await test.database.transaction(mayWriteBitmaps)).toBe(false);
      await forgetBitmap(first, 0n);
    });
    const left = sql`select term from bitmap where term = 0 union all select term from bitmap_chunk where term = 0`;
    expect(await test.database.query(left)).toEqual([]);
  });
});

/** Gives every third record what another one says. */
async function changeSome({ database }: TestDatabase, records: readonly EventRecord[]): Promise<void> {
  const changed = records
    .filter((_, at) => at % 3 === 0)
    .map((record, at): EventRecord => {
      const { type, status, flags, declaration, createdByUserType, updatedByUserRole } = records[at] ?? record;
      return { ...record, type, status, flags, declaration, createdByUserType, updatedByUserRole };
    });
  const events = changed.map((record) => ({
    id: record.id,
    incoming: { kind: 'record' as const, record },
    configuration: WITHOUT_FORMS,
    terms: TERMS,
    row: recordRow({ record, notified: undefined }, TERMS),
  }));
  await database.transaction((transaction) => writeRecords(transaction, events));
}
