import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import type { UserType } from '../../src/kernel/domain/author.js';
import { PLACE_OPTIONS } from '../../src/kernel/domain/scopes/scope.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aLegalStatus, aRegisteredStatus } from '../support/builders/a-legal-status.js';
import { aRecord } from '../support/builders/a-record.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { OFFICE, OTHER_OFFICE } from '../support/hierarchy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { type Found, searchRecords } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';

/** `found(a, c)`: these and no others, in this order. */
const found = (...records: readonly { readonly id: Uuid }[]): Found => ({
  total: records.length,
  ids: records.map(({ id }) => id),
});

describe('a search for a caller with restricted scopes', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });

  afterEach(() => test.database.query(sql`truncate event cascade`));

  afterAll(() => test.drop());

  /** What one of these scopes admits, in the order of ids. */
  const seen = (...reach: object[]): Promise<Found> =>
    searchRecords(test.database, { query: { clauses: [{ flags: {} }] }, sort: [{ field: 'id' }] }, { reach });

  it('admits what one of them admits, and counts nothing else (A-10)', async () => {
    const own = aLegalStatus({ createdBy: 'caller' });
    const birth = aRecord({ id: aUuid(1), type: 'birth', legalStatuses: { DECLARED: own, REGISTERED: null } });
    const death = aRecord({ id: aUuid(2), type: 'death', status: 'REGISTERED', flags: ['sealed'] });
    const registered = aRecord({
      id: aUuid(3),
      type: 'marriage',
      status: 'REGISTERED',
      legalStatuses: { DECLARED: null, REGISTERED: aRegisteredStatus({ createdBy: 'caller' }) },
    });
    const notified = aRecord({ id: aUuid(4), type: 'marriage', legalStatuses: { DECLARED: null, REGISTERED: null } });
    await storeRecords(test.database, [birth, death, registered]);
    await storeRecords(test.database, [notified], { createdBy: 'caller', createdAtLocation: null });
    const caller = { subject: 'caller', userType: 'user' };
    expect(await seen()).toEqual(found());
    expect(await seen({ event: ['birth', 'death'] })).toEqual(found(birth, death));
    expect(await seen({ event: [] })).toEqual(found());
    expect(await seen({ event: ['birth', 'death'], status: ['REGISTERED'] })).toEqual(found(death));
    expect(await seen({ event: ['birth'] }, { status: ['REGISTERED'], flags: { noneOf: ['sealed'] } })).toEqual(
      found(birth, registered),
    );
    expect(await seen({ flags: { anyOf: ['sealed'], allOf: ['sealed'] } })).toEqual(found(death));
    expect(await seen({ declaredBy: caller })).toEqual(found(birth));
    expect(await seen({ registeredBy: caller })).toEqual(found(registered));
    expect(await seen({ notifiedBy: caller })).toEqual(found(notified));
    expect(await seen({ declaredBy: caller, registeredBy: caller })).toEqual(found());
    expect(await seen({ declaredIn: 'all', placeOfEvent: 'all' })).toEqual(found(birth, death, registered, notified));
    for (const option of ['placeOfEvent', 'declaredIn', 'registeredIn', 'notifiedIn']) {
      for (const where of ['location', 'administrativeArea']) expect(await seen({ [option]: where })).toEqual(found());
    }
  });

  it('compares the kind of who has acted with the id: one of whom no kind is stored is a person', async () => {
    const by = (id: number, createdByUserType: UserType | null): EventRecord =>
      aRecord({
        id: aUuid(id),
        legalStatuses: {
          DECLARED: aLegalStatus({ createdBy: 'caller', createdByUserType }),
          REGISTERED: aRegisteredStatus({ createdBy: 'caller', createdByUserType }),
        },
      });
    const [person, client, unknown] = [by(1, 'user'), by(2, 'system'), by(3, null)];
    await storeRecords(test.database, [person, client, unknown]);
    for (const option of ['declaredBy', 'registeredBy']) {
      const seenBy = (userType: UserType) => seen({ [option]: { subject: 'caller', userType } });
      expect([option, await seenBy('user')]).toEqual([option, found(person, unknown)]);
      expect([option, await seenBy('system')]).toEqual([option, found(client)]);
    }
  });

  it('looks for each place where that was done', async () => {
    const at = (id: number, option: (typeof PLACE_OPTIONS)[number]): EventRecord => {
      const place = (of: typeof option): Uuid => (of === option ? OFFICE : OTHER_OFFICE);
      return aRecord({
        id: aUuid(id),
        placeOfEvent: place('placeOfEvent'),
        legalStatuses: {
          DECLARED: aLegalStatus({ createdAtLocation: place('declaredIn') }),
          REGISTERED: aRegisteredStatus({ createdAtLocation: place('registeredIn') }),
        },
      });
    };
    const records = PLACE_OPTIONS.map((option, index) => [option, at(index, option)] as const);
    for (const [option, record] of records) {
      const createdAtLocation = option === 'notifiedIn' ? OFFICE : OTHER_OFFICE;
      await storeRecords(test.database, [record], { createdBy: 'hospital', createdAtLocation });
    }
    for (const [option, record] of records)
      expect([option, await seen({ within: { [option]: [OFFICE] } })]).toEqual([option, found(record)]);
  });
});
