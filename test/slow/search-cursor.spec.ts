import { TERMS } from '../support/terms.js';
import fc from 'fast-check';
import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import { UNKNOWN_CARDINALITIES } from '../../src/events/index/statistics/cardinalities.js';
import type { SortKey, SortValues } from '../../src/kernel/domain/search-request.js';
import { type Found, type FoundRow, runSearch, twoPhaseSearch } from '../../src/events/search/answer/run-search.js';
import { planOf } from '../../src/events/search/plan/plan.js';
import { compileAfter, type CompiledSearch, compileSearch } from '../../src/events/search/predicate/compile-search.js';
import {
  compileOrder,
  compileRelevance,
  compileSortValues,
  type Order,
  orderBy,
} from '../../src/events/search/predicate/sort.js';
import { Sql, sql } from '../../src/kernel/sql/sql.js';
import { aReach } from '../support/arbitrary-caller.js';
import { aMeetingRequest, aSortKey } from '../support/arbitrary-clause.js';
import { someRecords } from '../support/arbitrary-record.js';
import { below } from '../support/hierarchy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { knownFor } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';
import { NOW, RECORD_NUMBERS } from '../support/vocabulary.js';

/** For a longer run: `SEARCH_PROPERTY_RUNS=100 npx jest --selectProjects slow search-cursor`. */
const RUNS = Number(process.env['SEARCH_PROPERTY_RUNS'] ?? 8);
const ORDERS_PER_RUN = 30;

interface Row {
  readonly id: string;
  readonly values: string;
}

const anOrder: fc.Arbitrary<Order> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(aSortKey, { maxLength: 4 }).map((sort: readonly SortKey[]) => compileOrder(sort)),
  },
  { weight: 1, arbitrary: fc.constant(compileRelevance(sql`nullif(length(s.created_by) % 3, 1)`)) },
);

describe.each([
  ['the default collation', {}],
  ['an ICU collation', { icuLocale: 'en-US' }],
])('a walk on a database of %s', (_, options) => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase(options);
  });
  afterAll(() => test.drop());

  const pagesOf =
    (transaction: Queryable) =>
    (order: Order, limit: number, after?: SortValues): Promise<Row[]> =>
      transaction.query<Row>(sql`
        with matched as materialized (select s.seq, ${Sql.join(order.columns, ', ')} from event_search s)
        select id, ${compileSortValues(order.keys)} as values from matched
        where ${after === undefined ? sql`true` : compileAfter(order.keys, after)}
        order by ${orderBy(order.keys)} limit ${limit}::bigint`);

  it('meets every record once, in the order of one large page', async () => {
    await fc.assert(
      fc.asyncProperty(
        someRecords(RECORD_NUMBERS.length),
        fc.array(fc.tuple(anOrder, fc.integer({ min: 1, max: RECORD_NUMBERS.length })), {
          minLength: ORDERS_PER_RUN,
          maxLength: ORDERS_PER_RUN,
        }),
        async (records, walks) => {
          await test.database.query(sql`truncate event cascade`);
          await storeRecords(test.database, records);
          // Instants that only a microsecond tells apart.
          await test.database.query(sql`
            update event_search set updated_at = updated_at + seq % 3 * interval '1 microsecond'`);
          await test.database.transaction(async (transaction) => {
            // What a cursor holds must not depend on how a session writes instants.
            await transaction.query(sql`set local datestyle = 'SQL, DMY'`);
            await transaction.query(sql`set local timezone = 'Asia/Kathmandu'`);
            const page = pagesOf(transaction);
            for (const [order, size] of walks) {
              const whole = await page(order, 1_000);
              const walked: Row[] = [];
              for (let rows = await page(order, size); rows.length > 0;) {
                walked.push(...rows);
                expect(walked.length).toBeLessThanOrEqual(whole.length);
                const last = walked.at(-1);
                rows = await page(order, size, last && sortValuesIn(last.values));
              }
              expect({ size, order: orderBy(order.keys).toQuery(), walked }).toEqual({
                size,
                order: orderBy(order.keys).toQuery(),
                walked: whole,
              });
              expect(whole).toHaveLength(records.length);
            }
          });
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  }, 300_000);

  it('meets every match once, by whatever plan its pages are found', async () => {
    await fc.assert(
      fc.asyncProperty(
        someRecords(RECORD_NUMBERS.length),
        fc.array(aSearchWalk, { minLength: ORDERS_PER_RUN, maxLength: ORDERS_PER_RUN }),
        async (records, walks) => {
          await test.database.query(sql`truncate event cascade`);
          await storeRecords(test.database, records);
          for (const { request, reach, size, plan, idsAlone } of walks) {
            const known = await knownFor(test.database, request.query);
            const context = { now: NOW, timezone: 'UTC', below, terms: TERMS, ...known };
            const pageFrom = async (limit: number, run: Run, after?: SortValues): Promise<Found> => {
              const asked = { ...request, offset: 0, limit, ...(after && { after }) };
              const search = compileSearch(asked, reach, context);
              return test.database.snapshot((snapshot) =>
                run(snapshot, { ...search, page: { ...search.page, idsAlone } }),
              );
            };
            const whole = await pageFrom(1_000, AT_ONCE);
            const walked: FoundRow[] = [];
            for (let found = await pageFrom(size, plan); found.rows.length > 0;) {
              expect(found.total).toBe(whole.total);
              walked.push(...found.rows);
              expect(walked.length).toBeLessThanOrEqual(whole.rows.length);
              const last = walked.at(-1);
              found = await pageFrom(size, plan, last && sortValuesIn(last.sort_values));
            }
            expect({ request, size, walked: rowsOf(walked) }).toEqual({ request, size, walked: rowsOf(whole.rows) });
            expect(walked).toHaveLength(whole.total);
          }
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  }, 300_000);
});

const sortValuesIn = (json: string): SortValues => JSON.parse(json) as SortValues;

const rowsOf = (rows: readonly FoundRow[]) => rows.map(({ body, sort_values }) => ({ body, sort_values }));

type Run = (snapshot: Queryable, search: CompiledSearch) => Promise<Found>;

const AT_ONCE: Run = (snapshot, search) =>
  runSearch(snapshot, { ...planOf(search, UNKNOWN_CARDINALITIES), kind: 'single-statement' });

/** Of as many records as make a walk along an index worth while: one that finds the page, and one that is given up. */
const broadly =
  (slack: number): Run =>
  (snapshot, search) =>
    twoPhaseSearch(snapshot, search, { ...UNKNOWN_CARDINALITIES, records: 1 }, { slack, least: 3 });

const aSearchWalk = fc.record({
  request: aMeetingRequest(),
  reach: aReach,
  size: fc.integer({ min: 1, max: RECORD_NUMBERS.length }),
  plan: fc.constantFrom(AT_ONCE, broadly(0), broadly(10)),
  idsAlone: fc.boolean(),
});
