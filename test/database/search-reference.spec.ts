import { TERMS } from '../support/terms.js';
import fc from 'fast-check';
import { ChangeFeed } from '../../src/platform/database/connection/change-feed.js';
import { PlaceImport } from '../../src/events/places/place-import.js';
import { ALL_BUT_YEARS } from '../../src/events/index/terms/terms.js';
import { UNKNOWN_CARDINALITIES } from '../../src/events/index/statistics/cardinalities.js';
import { factsOf } from '../../src/events/index/values/facts.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { HierarchyCache } from '../../src/auth/locations/hierarchy-cache.js';
import { everyOf } from '../../src/events/search/evaluate/test-of-value.js';
import { testOfQuery, testOfRowFilter } from '../../src/events/search/evaluate/test-of-query.js';
import { planOf } from '../../src/events/search/plan/plan.js';
import { compileSearch } from '../../src/events/search/predicate/compile-search.js';
import { SearchRepository } from '../../src/events/search/search.repository.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aGuard, aReach } from '../support/arbitrary-caller.js';
import { aMeetingRequest, aRelevanceRequest } from '../support/arbitrary-clause.js';
import { someRecords } from '../support/arbitrary-record.js';
import { below, LOCATIONS_FILE, OFFICE } from '../support/hierarchy.js';
import { addMadeUpFields } from '../support/made-up-paths.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { editsOf } from '../support/reference/edits.js';
import { isWithheld } from '../support/reference/guarded.js';
import { inOrder } from '../support/reference/in-order.js';
import { isRead, matches, shownTo } from '../support/reference/matches.js';
import { knownFor } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';
import { NOW, PEOPLE, RECORD_NUMBERS, TIMEZONES } from '../support/vocabulary.js';

/** For longer runs: `npm run test:reference -- 100000`, which sets both. */
const RUNS = Number(process.env['SEARCH_PROPERTY_RUNS'] ?? 4);
const SEED = process.env['SEARCH_PROPERTY_SEED'];
const REQUESTS_PER_RUN = 40;

const aCase = fc.record({
  request: fc.oneof({ arbitrary: aMeetingRequest(), weight: 4 }, aRelevanceRequest()),
  reach: aReach,
  guard: aGuard,
  timezone: fc.constantFrom(...TIMEZONES),
});

describe.each([
  ['the default collation', {}, 0],
  ['an ICU collation', { icuLocale: 'en-US' }, 0],
  ['more fields than a search names', {}, 4_100],
])('a search on a database of %s', (_, options, otherFields) => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase(options);
    await addMadeUpFields(test.database, otherFields, ALL_BUT_YEARS);
    const feed = new ChangeFeed(test.database.primary, () => undefined);
    await new PlaceImport(test.database, new HierarchyCache(test.database, feed), { TIMEZONE: 'UTC' }).import(
      LOCATIONS_FILE,
    );
  });

  afterAll(() => test.drop());

  it('finds what the reference finds, in its order and number', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        someRecords(RECORD_NUMBERS.length),
        fc.array(aCase, { minLength: REQUESTS_PER_RUN, maxLength: REQUESTS_PER_RUN }),
        fc.constantFrom(...PEOPLE, null),
        async (records, cases, notifiedBy) => {
          await test.database.query(sql`truncate event cascade`);
          await storeRecords(
            test.database,
            records,
            notifiedBy === null ? undefined : { createdBy: notifiedBy, createdAtLocation: OFFICE },
          );
          for (const { request, reach, guard, timezone } of cases) {
            const notifiedIn = notifiedBy === null ? null : OFFICE;
            const context = { now: NOW, timezone, below, notifiedBy, notifiedIn, guard };
            const { total, bodies } = await new SearchRepository(test.database).run(
              planOf(
                compileSearch(request, reach, {
                  ...context,
                  terms: TERMS,
                  ...(await knownFor(test.database, request.query)),
                }),
                UNKNOWN_CARDINALITIES,
              ),
            );
            const expected = inOrder(
              records.filter((record) => matches(record, request.query, reach, context)),
              request.sort,
              (record) => editsOf(record, request.query, context),
              (record, field) => guard !== undefined && isWithheld(record, field, guard) && !isRead(record, context),
            );
            found += expected.length;
            // What decides on notifications says the same without the database.
            const isMatch = everyOf([
              testOfQuery(request.query, {
                timezone,
                isWithin: (place, area) => below(area).some((id) => id === place),
                guarded: guard && { guard, isRead: testOfRowFilter(guard.readable) },
              }),
              testOfRowFilter(reach),
            ]);
            const tried = records.filter((record) =>
              isMatch({
                record,
                facts: factsOf(record.declaration),
                notifiedBy: notifiedBy ?? undefined,
                notifiedIn,
                nowMs: NOW.getTime(),
              }),
            );
            const page = expected.slice(request.offset, request.offset + request.limit);
            const search = JSON.stringify({ request, reach, ...context });
            expect({ search, total, page: bodies.map(recordOf), tried: new Set(tried) }).toEqual({
              search,
              total: expected.length,
              page: page.map((record) => shownTo(record, reach, records, context)),
              tried: new Set(expected),
            });
          }
        },
      ),
      {
        numRuns: RUNS,
        ...(SEED !== undefined && { seed: Number(SEED) }),
        // A failing search is shown whole; shrinking would store its records hundreds of times over.
        endOnFailure: true,
        reporter: ({ failed, seed, counterexamplePath, errorInstance }) => {
          if (failed) throw new Error(`seed ${seed}, path ${counterexamplePath ?? ''}`, { cause: errorInstance });
        },
      },
    );
    // The searches meet the records often enough to say something.
    expect(found).toBeGreaterThan(RUNS * REQUESTS_PER_RUN);
  }, 600_000);
});

const recordOf = (body: string): EventRecord => JSON.parse(body) as EventRecord;
