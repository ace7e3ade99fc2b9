import type { DeclarationValue, EventRecord, UserType } from '../../src/kernel/domain/event-record.js';
import { PLACE_OPTIONS } from '../../src/kernel/domain/scopes/scope.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aLegalStatus, aRegisteredStatus } from '../support/builders/a-legal-status.js';
import { aRecord } from '../support/builders/a-record.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { anInstant } from '../support/builders/an-instant.js';
import { OFFICE, OTHER_OFFICE, PROVINCE } from '../support/hierarchy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { type Found, searchRecords } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';
import { exact, fuzzy, range, within } from '../support/value-conditions.js';
import { VALUE_CONDITIONS as TABLE } from '../support/values-and-conditions.js';

describe('years', () => {
  describe('a field with dates of more years than are told apart', () => {
    const dated = (year: number, month = '03'): EventRecord =>
      aRecord({ declaration: { day: `${year}-${month}-17`, other: `${year}` } });
    const years = Array.from({ length: 410 }, (_, at) => 1_600 + at);
    let test: TestDatabase;

    beforeAll(async () => {
      test = await createTestDatabase();
      await storeRecords(test.database, [...years.map((year) => dated(year)), dated(1_999, '12')]);
    });
    afterAll(() => test.drop());

    const total = async (data: object): Promise<number> =>
      (await searchRecords(test.database, { query: { clauses: [{ data }] }, limit: 1 })).total;

    it.each([
      ['a range of a few years', range('1999-01-01', '2001-12-31'), 4],
      ['a range of all years', range('0001-01-01', '9999-12-31'), 411],
      ['a range of some days', range('1999-12-17', '1999-12-18'), 1],
      ['a range without a date', range('2010-01-01', '2030-12-31'), 0],
      ['a day', exact('1650-03-17'), 1],
      ['a year, fuzzily: itself alone, twice', fuzzy('1999'), 2],
      ['a month, fuzzily', fuzzy('12'), 1],
      ['a day of any month, fuzzily', fuzzy('17'), 411],
    ])('is searched exactly for %s', async (_, condition, expected) => {
      expect(await total({ day: condition })).toBe(expected);
      if (condition.type === 'exact') expect(await total(condition)).toBe(expected);
    });

    it('is searched for a word that no record has beside a day of any of these years', async () => {
      expect(await total({ day: fuzzy('qqqqqq 17') })).toBe(0);
      expect(await total(fuzzy('qqqqqq 17'))).toBe(0);
    });
  });
});

describe('values', () => {
  describe('a condition on a field of the declaration', () => {
    let test: TestDatabase;
    const ids = new Map<string, string>();

    beforeAll(async () => {
      test = await createTestDatabase();
      // Each value stands in a record of its own, and all of them in the same field.
      const records = Object.values(TABLE).map(({ value }) => aRecord({ declaration: { field: value } }));
      Object.keys(TABLE).forEach((name, at) => ids.set(name, records[at]?.id ?? ''));
      await storeRecords(test.database, records);
    });

    afterAll(() => test.drop());

    const finds = async (data: object, name: string): Promise<boolean> => {
      const found = await searchRecords(test.database, { query: { clauses: [{ data }] } });
      return found.ids.includes(ids.get(name) ?? '');
    };

    const cases = Object.entries(TABLE).flatMap(([name, { yes, no }]) => [
      ...yes.map((input) => [name, JSON.stringify(input), true, input] as const),
      ...no.map((input) => [name, JSON.stringify(input), false, input] as const),
    ]);

    it.each(cases)('that is %s, asked for %s: %s', async (name, _, holds, input) => {
      expect(await finds({ field: input }, name)).toBe(holds);
      // A range on any field is refused.
      const isOnAnyField = 'type' in input && typeof input.type === 'string' && input.type !== 'range';
      if (isOnAnyField) expect(await finds(input, name)).toBe(holds);
    });

    it('holds for no record that does not have the field', async () => {
      for (const input of [exact(''), range('', '\u{10ffff}'), within(PROVINCE), { a: exact('b') }]) {
        expect(await searchRecords(test.database, { query: { clauses: [{ data: { other: input } }] } })).toEqual({
          total: 0,
          ids: [],
        });
      }
    });

    it('holds together with the others of its map', async () => {
      const both = aRecord({ declaration: { first: 'a', second: 'b' } });
      const one = aRecord({ declaration: { first: 'a', second: 'c' } });
      await storeRecords(test.database, [both, one]);
      const body = { query: { clauses: [{ data: { first: exact('a'), second: exact('b') } }] } };
      expect(await searchRecords(test.database, body)).toEqual({ total: 1, ids: [both.id] });
    });
  });
});

describe('relevance', () => {
  describe('the order of relevance (S-12)', () => {
    let test: TestDatabase;

    beforeAll(async () => {
      test = await createTestDatabase();
    });

    afterEach(() => test.database.query(sql`truncate event cascade`));

    afterAll(() => test.drop());

    const older = anInstant('2026-01-01T00:00:00.000Z');
    const newer = anInstant('2026-01-02T00:00:00.000Z');
    const named = (firstname: string, surname: string, changes: Partial<EventRecord> = {}): EventRecord =>
      aRecord({ updatedAt: older, declaration: { name: { firstname, surname } }, ...changes });

    /** Stores the records in an order of their own, and tells in which order, by number, they are found. */
    async function found(records: readonly EventRecord[], body: object): Promise<readonly number[]> {
      await storeRecords(test.database, records.toReversed());
      const { ids } = await searchRecords(test.database, body);
      return ids.map((id) => records.findIndex((record) => record.id === id));
    }

    it('sums the edits of the words, each at its best, then goes by time', async () => {
      const records = [
        named('Musonda', 'Banda'),
        named('Musonda Muzonda', 'Bandaa', { updatedAt: newer }),
        named('Musunda', 'Banda'),
        named('Muzunda', 'Bandaa', { updatedAt: newer }),
        named('Ana', 'Banda'),
      ];
      const query = { clauses: [{ data: { name: fuzzy('Musonda Banda') } }] };
      expect(await found(records, { query })).toEqual([0, 1, 2, 3]);
    });

    it('gives way to an order that is asked for', async () => {
      const records = [named('Musunda', 'Banda', { updatedAt: newer }), named('Musonda', 'Banda')];
      const query = { clauses: [{ data: { name: fuzzy('Musonda') } }] };
      expect(await found(records, { query, sort: [{ field: 'updatedAt', direction: 'desc' }] })).toEqual([0, 1]);
    });

    it('sums over the conditions of an AND, and takes the cheapest clause of an OR that holds', async () => {
      const records = [
        named('Musunda', 'Other', { trackingId: 'AAAAAA' }),
        named('Musunda', 'Banda'),
        named('Muzunda', 'Banda', { updatedAt: newer }),
        named('Musnuda', 'Bandaa', { updatedAt: newer }),
        // Two edits by one clause, one by another.
        named('Musnuda', 'Banda Chibwe', { updatedAt: newer }),
      ];
      const query = {
        type: 'or',
        clauses: [
          { trackingId: exact('AAAAAA') },
          { data: { name: fuzzy('Chibwa') } },
          { type: 'and', clauses: [{ data: { name: fuzzy('Musonda') } }, { data: { name: fuzzy('Banda') } }] },
        ],
      };
      expect(await found(records, { query })).toEqual([0, 4, 1, 2, 3]);
    });

    it('takes the best member of a list, of those that satisfy the whole map', async () => {
      const person = (name: string, role: string): DeclarationValue => ({ data: { name, role } });
      const records = [
        aRecord({
          updatedAt: older,
          declaration: { people: [person('Muzonda', 'witness'), person('Muzunda', 'witness')] },
        }),
        aRecord({
          updatedAt: newer,
          declaration: { people: [person('Musonda', 'parent'), person('Muzunda', 'witness')] },
        }),
      ];
      const map = { data: { name: fuzzy('Musonda'), role: exact('witness') } };
      expect(await found(records, { query: { clauses: [{ data: { people: map } }] } })).toEqual([0, 1]);
    });

    it('takes the best field where any will do', async () => {
      const records = [
        aRecord({ updatedAt: older, declaration: { a: 'Muzunda', b: 'Musonda' } }),
        aRecord({ updatedAt: newer, declaration: { a: 'Muzonda' } }),
      ];
      expect(await found(records, { query: { clauses: [{ data: fuzzy('Musonda') }] } })).toEqual([0, 1]);
    });
  });
});

describe('scopes', () => {
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
        for (const where of ['location', 'administrativeArea'])
          expect(await seen({ [option]: where })).toEqual(found());
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
});
