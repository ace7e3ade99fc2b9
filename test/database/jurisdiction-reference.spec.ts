import fc from 'fast-check';
import { callerOf } from '../../src/auth/access/scope-permissions.js';
import { rowFilterOf } from '../../src/kernel/domain/scopes/caller.js';
import { encodeScope } from '../../src/kernel/domain/scopes/decode-scope.js';
import { EVENT_STATUSES, type EventRecord } from '../../src/kernel/domain/event-record.js';
import type { Jurisdiction, ScopeOptions } from '../../src/kernel/domain/scopes/scope.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { Hierarchy, inJurisdiction } from '../../src/auth/locations/hierarchy-cache.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { someRecords } from '../support/arbitrary-record.js';
import {
  DISTRICT,
  OFFICE,
  OTHER_OFFICE,
  OTHER_PROVINCE,
  PROVINCE,
  SECOND_OFFICE,
  UNKNOWN_PLACE,
} from '../support/hierarchy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { searchRecords } from '../support/search-records.js';
import { storedAccess } from '../support/stored-access.js';
import { storeRecords } from '../support/store-records.js';
import { aPlace, PEOPLE, PLACES, RECORD_NUMBERS } from '../support/vocabulary.js';

const RUNS = Number(process.env['SEARCH_PROPERTY_RUNS'] ?? 2);
const USERS_PER_RUN = 40;

/** Where each place lies; one office lies directly under the country. */
const PART_OF: Readonly<Record<string, Uuid | null>> = {
  [PROVINCE]: null,
  [OTHER_PROVINCE]: null,
  [DISTRICT]: PROVINCE,
  [OFFICE]: DISTRICT,
  [SECOND_OFFICE]: DISTRICT,
  [OTHER_OFFICE]: null,
};
const hierarchy = new Hierarchy(PLACES.map((id) => ({ id, partOf: PART_OF[id] ?? null })));

interface User {
  readonly subject: string;
  readonly office: Uuid | undefined;
  readonly scopes: readonly ScopeOptions[];
}

interface Notified {
  readonly createdBy: string;
  readonly createdAtLocation: Uuid;
}

/** What the scopes of a user cover, as U-5 and A-10 say it: nothing of the program but the types. */
const isCovered = (record: EventRecord, { subject, office, scopes }: User, notified: Notified | undefined): boolean =>
  scopes.some((options) => {
    const { DECLARED, REGISTERED } = record.legalStatuses;
    const happenedIn = (where: Jurisdiction | undefined, place: Uuid | null | undefined): boolean => {
      if (where === undefined || where === 'all') return true;
      if (office === undefined || !(office in PART_OF)) return false;
      const area = where === 'location' ? office : PART_OF[office];
      return area === null || (place !== null && place !== undefined && chain(place).includes(area ?? office));
    };
    const { flags = {} } = options;
    return (
      options.event?.includes(record.type) !== false &&
      options.status?.includes(record.status) !== false &&
      flags.anyOf?.some((flag) => record.flags.includes(flag)) !== false &&
      flags.allOf?.every((flag) => record.flags.includes(flag)) !== false &&
      flags.noneOf?.some((flag) => record.flags.includes(flag)) !== true &&
      happenedIn(options.placeOfEvent, record.placeOfEvent) &&
      happenedIn(options.declaredIn, DECLARED?.createdAtLocation) &&
      happenedIn(options.registeredIn, REGISTERED?.createdAtLocation) &&
      happenedIn(options.notifiedIn, notified?.createdAtLocation) &&
      (options.declaredBy === undefined || DECLARED?.createdBy === subject) &&
      (options.registeredBy === undefined || REGISTERED?.createdBy === subject) &&
      (options.notifiedBy === undefined || notified?.createdBy === subject)
    );
  });

/** The place and every area around it. */
const chain = (place: Uuid): readonly Uuid[] => {
  const around = PART_OF[place];
  return around === null || around === undefined ? [place] : [place, ...chain(around)];
};

const rarely = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 1 }).chain((given) => fc.boolean().map((is) => (is ? given : undefined)));
const someOf = <T>(...values: readonly T[]): fc.Arbitrary<T[]> => fc.uniqueArray(fc.constantFrom(...values));
const where = rarely(fc.constantFrom<Jurisdiction>('all', 'administrativeArea', 'location'));
const flag = fc.constantFrom('incomplete', 'sealed', 'register:requested');
const user = rarely(fc.constant('user' as const));

const someOptions: fc.Arbitrary<ScopeOptions> = fc
  .record({
    event: rarely(someOf('birth', 'Birth', 'death')),
    status: rarely(someOf(...EVENT_STATUSES)),
    flags: rarely(
      fc.oneof(
        fc.array(flag, { maxLength: 2 }).map((anyOf) => ({ anyOf })),
        fc.tuple(flag, flag).map(([some, none]) => ({ anyOf: [some], noneOf: [none] })),
        flag.map((all) => ({ allOf: [all] })),
        flag.map((none) => ({ noneOf: [none] })),
      ),
    ),
    ...{ placeOfEvent: where, declaredIn: where, registeredIn: where, notifiedIn: where },
    ...{ declaredBy: user, registeredBy: user, notifiedBy: user },
  })
  .map((options) => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)));

const aUser: fc.Arbitrary<User> = fc.record({
  subject: fc.constantFrom(...PEOPLE),
  office: fc.constantFrom(OFFICE, SECOND_OFFICE, OTHER_OFFICE, UNKNOWN_PLACE, undefined),
  scopes: fc.array(someOptions, { maxLength: 3 }),
});

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

it('a user finds and may act on the records that his scopes cover, wherever his office lies', async () => {
  let [covered, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      someRecords(RECORD_NUMBERS.length),
      fc.array(aUser, { minLength: USERS_PER_RUN, maxLength: USERS_PER_RUN }),
      fc.option(fc.record({ createdBy: fc.constantFrom(...PEOPLE), createdAtLocation: aPlace }), { nil: undefined }),
      async (records, users, notified) => {
        await test.database.query(sql`truncate event cascade`);
        await storeRecords(test.database, records, notified);
        for (const one of users) {
          const { subject, office, scopes } = one;
          const caller = callerOf(
            {
              ...{ sub: subject, userType: 'user', office },
              scope: scopes.map((options) => encodeScope({ type: 'record.search', options })),
            },
            (scope) => {
              throw new Error(`${scope} was not understood`);
            },
          );
          const reach = inJurisdiction(rowFilterOf(caller, 'record.search'), caller.office, hierarchy);
          const everything = { query: { clauses: [{ flags: { noneOf: [] } }] }, limit: 100 };
          const { ids, total } = await searchRecords(test.database, everything, {
            reach,
            below: (id) => hierarchy.below(id),
          });
          const { access, stored } = storedAccess(test.database, hierarchy);
          const acted = records.filter((record) => access.covers(caller, ['record.search'], { record, notified }));
          const asked = await Promise.all(records.map(({ id }) => stored.covers(caller, ['record.search'], id)));
          const expected = records.filter((record) => isCovered(record, one, notified)).map(({ id }) => id);
          covered += expected.length;
          refused += records.length - expected.length;
          const said = { user: one, notified };
          expect({ ...said, total, found: new Set(ids), acted: acted.map(({ id }) => id), asked }).toEqual({
            ...said,
            total: expected.length,
            found: new Set(expected),
            acted: expected,
            asked: records.map(({ id }) => expected.includes(id)),
          });
        }
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  );
  // Both answers come often enough to say something.
  expect(Math.min(covered, refused)).toBeGreaterThan(RUNS * USERS_PER_RUN);
}, 600_000);
