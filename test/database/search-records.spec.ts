import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aLegalStatus, aRegisteredStatus } from '../support/builders/a-legal-status.js';
import { aRecord } from '../support/builders/a-record.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { anInstant } from '../support/builders/an-instant.js';
import { DISTRICT, OFFICE, OTHER_OFFICE, PROVINCE, SECOND_OFFICE, UNKNOWN_PLACE } from '../support/hierarchy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { type Found, searchRecords } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';

/** `found(a, c)`: these and no others, in this order. */
const found = (...records: readonly { readonly id: Uuid }[]): Found => ({
  total: records.length,
  ids: records.map(({ id }) => id),
});

const byId = [{ field: 'id' }];

describe('a search', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });

  afterEach(() => test.database.query(sql`truncate event cascade`));

  afterAll(() => test.drop());

  const search = (body: object, searcher = {}): Promise<Found> => searchRecords(test.database, body, searcher);
  /** Searches by one expression, in the order of ids. */
  const searchFor = (expression: object, searcher = {}): Promise<Found> =>
    search({ query: { clauses: [expression] }, sort: byId }, searcher);

  describe('for metadata', () => {
    it('compares whole and case-sensitively (S-7)', async () => {
      const one = aRecord({
        id: aUuid(1),
        type: 'birth',
        trackingId: 'AB12CD',
        createdBy: 'u-1',
        updatedBy: 'u-2',
        assignedTo: 'u-3',
        updatedByUserRole: 'CLERK',
        createdByUserType: 'system',
        legalStatuses: {
          DECLARED: aLegalStatus({ createdByRole: 'CLERK' }),
          REGISTERED: aRegisteredStatus({ createdByRole: 'REGISTRAR', registrationNumber: 'R-1' }),
        },
      });
      const other = aRecord({
        id: aUuid(2),
        type: 'Birth',
        trackingId: 'ab12cd',
        createdBy: 'U-1',
        createdByUserType: 'user',
        legalStatuses: { DECLARED: null, REGISTERED: aRegisteredStatus({ registrationNumber: 'r-1' }) },
      });
      await storeRecords(test.database, [one, other]);
      const exact = (term: string) => ({ type: 'exact', term });
      const anyOf = (...terms: string[]) => ({ type: 'anyOf', terms });
      const expressions = [
        { id: one.id },
        { eventType: 'birth' },
        { trackingId: exact('AB12CD') },
        { createdBy: exact('u-1') },
        { updatedBy: exact('u-2') },
        { assignedTo: exact('u-3') },
        { updatedByUserRole: exact('CLERK') },
        { createdByUserType: exact('system') },
        { 'legalStatuses.DECLARED.createdByRole': anyOf('CLERK', 'x') },
        { 'legalStatuses.REGISTERED.createdByRole': anyOf('REGISTRAR') },
        { 'legalStatuses.REGISTERED.registrationNumber': exact('R-1') },
      ];
      for (const expression of expressions)
        expect([expression, await searchFor(expression)]).toEqual([expression, found(one)]);
      for (const id of ['', 'x', one.id.slice(1), `{${one.id}}`]) {
        expect([id, await searchFor({ id })]).toEqual([id, found()]);
      }
    });

    it('takes a UUID trimmed and in any letter case, and no other spelling of it (S-7)', async () => {
      const record = aRecord({ id: aUuid(0xabcdef) });
      const { id } = record;
      await storeRecords(test.database, [record]);
      for (const spelling of [id.toUpperCase(), ` ${id}\u200b `])
        expect([spelling, await searchFor({ id: spelling })]).toEqual([spelling, found(record)]);
      expect(await searchFor({ id: id.replaceAll('-', '') })).toEqual(found());
    });

    it('finds nothing by an empty list, in either kind of query (S-6)', async () => {
      const record = aRecord({ flags: ['sealed'] });
      await storeRecords(test.database, [record]);
      const nothing = [
        { status: { type: 'anyOf', terms: [] } },
        { 'legalStatuses.DECLARED.createdByRole': { type: 'anyOf', terms: [] } },
        { flags: { anyOf: [] } },
        { data: { 'child.dob': { type: 'anyOf', terms: [] } } },
      ];
      for (const expression of nothing)
        expect([expression, await searchFor(expression)]).toEqual([expression, found()]);
      expect(await search({ query: { type: 'or', clauses: [...nothing, { eventType: 'birth' }] } })).toEqual(
        found(record),
      );
    });
  });

  describe('for flags', () => {
    it('takes anyOf, noneOf and allOf together (S-6)', async () => {
      const none = aRecord({ id: aUuid(1) });
      const a = aRecord({ id: aUuid(2), flags: ['a'] });
      const ab = aRecord({ id: aUuid(3), flags: ['a', 'b'] });
      const abc = aRecord({ id: aUuid(4), flags: ['a', 'b', 'c'] });
      await storeRecords(test.database, [none, a, ab, abc]);
      const flags = (wanted: object): Promise<Found> => searchFor({ flags: wanted });
      expect(await flags({})).toEqual(found(none, a, ab, abc));
      expect(await flags({ noneOf: [], allOf: [] })).toEqual(found(none, a, ab, abc));
      expect(await flags({ anyOf: ['b', 'c'] })).toEqual(found(ab, abc));
      expect(await flags({ noneOf: ['b', 'x'] })).toEqual(found(none, a));
      expect(await flags({ allOf: ['b', 'a'] })).toEqual(found(ab, abc));
      expect(await flags({ anyOf: ['a'], allOf: ['b'], noneOf: ['c'] })).toEqual(found(ab));
      expect(await flags({ anyOf: ['A'] })).toEqual(found());
    });
  });

  describe('for instants', () => {
    it.each([
      // Midnight to midnight of clocks that are three hours behind; on 4 November 2018 they were put forward at
      // midnight.
      ['UTC', { type: 'exact', term: '2018-11-04' }, [2, 3, 4, 5]],
      ['America/Sao_Paulo', { type: 'exact', term: '2018-11-04' }, [4, 5, 6]],
      ['America/Sao_Paulo', { type: 'exact', term: '2018-11-03' }, [2, 3]],
      ['America/Sao_Paulo', { type: 'range', gte: '2018-11-03', lte: '2018-11-04' }, [2, 3, 4, 5, 6]],
      ['UTC', { type: 'exact', term: '2018-11-04T02:59:59Z' }, [3]],
      ['UTC', { type: 'exact', term: '2018-11-04T02:59:59.999Z' }, [3]],
      ['UTC', { type: 'exact', term: '2018-11-04T02:59:59.998Z' }, []],
      ['UTC', { type: 'exact', term: '2018-11-04T03:00Z' }, [4]],
      ['UTC', { type: 'range', gte: '2018-11-04T02:59:59.999Z', lte: '2018-11-04T03:00:00Z' }, [3, 4]],
      ['UTC', { type: 'range', gte: '2018-11-05', lte: '2018-11-05T01:59:59.999Z' }, [6]],
      ['UTC', { type: 'range', gte: '0001-01-01', lte: '9999-12-31' }, [1, 2, 3, 4, 5, 6, 7]],
      ['Pacific/Apia', { type: 'range', gte: '0001-01-01', lte: '9999-12-31' }, [1, 2, 3, 4, 5, 6, 7]],
    ])('reads a calendar date in %s, as in %j (S-8)', async (timezone, condition, numbers) => {
      const instants = [
        '0001-01-01T12:00:00Z',
        '2018-11-04T00:00:00Z',
        '2018-11-04T02:59:59.999Z',
        '2018-11-04T03:00:00Z',
        '2018-11-04T23:59:59.999Z',
        '2018-11-05T01:59:59.999Z',
        '9999-12-31T06:00:00Z',
      ].map(anInstant);
      const records = instants.map((instant, at) =>
        aRecord({
          id: aUuid(at + 1),
          createdAt: instant,
          updatedAt: instant,
          legalStatuses: { DECLARED: null, REGISTERED: aRegisteredStatus({ acceptedAt: instant }) },
        }),
      );
      await storeRecords(test.database, records);
      const expected = { total: numbers.length, ids: numbers.map(aUuid) };
      for (const field of ['createdAt', 'updatedAt', 'legalStatuses.REGISTERED.acceptedAt']) {
        expect([field, await searchFor({ [field]: condition }, { timezone })]).toEqual([field, expected]);
      }
    });

    it('takes a period back from now, both ends included (S-8)', async () => {
      const now = new Date('2026-03-31T12:00:00.500Z');
      const instants = [
        '2026-03-31T12:00:00.501Z',
        '2026-03-31T12:00:00.500Z',
        '2026-03-24T12:00:00.500Z',
        '2026-03-24T12:00:00.499Z',
      ];
      const records = instants.map((instant, at) => aRecord({ id: aUuid(at + 1), updatedAt: anInstant(instant) }));
      await storeRecords(test.database, records);
      const last7Days = { updatedAt: { type: 'timePeriod', term: 'last7Days' } };
      // Clocks of the zone were put forward in between: a period is hours, not days.
      expect(await searchFor(last7Days, { now, timezone: 'Europe/Paris' })).toEqual({
        total: 2,
        ids: [aUuid(2), aUuid(3)],
      });
    });
  });

  describe('for locations', () => {
    it('finds the location itself, or whatever lies below it; nothing by an unknown one (S-9)', async () => {
      const at = (place: Uuid | null, number: number) =>
        aRecord({
          id: aUuid(number),
          createdAtLocation: place,
          updatedAtLocation: place,
          legalStatuses: {
            DECLARED: aLegalStatus({ createdAtLocation: place }),
            REGISTERED: aRegisteredStatus({ createdAtLocation: place }),
          },
        });
      const district = at(DISTRICT, 1);
      const office = at(OFFICE, 2);
      const second = at(SECOND_OFFICE, 3);
      const other = at(OTHER_OFFICE, 4);
      const unknown = at(UNKNOWN_PLACE, 5);
      await storeRecords(test.database, [district, office, second, other, unknown, at(null, 6)]);
      const withinOf = (location: string) => ({ type: 'within', location });
      for (const field of [
        'createdAtLocation',
        'updatedAtLocation',
        'legalStatuses.DECLARED.createdAtLocation',
        'legalStatuses.REGISTERED.createdAtLocation',
      ]) {
        expect([field, await searchFor({ [field]: withinOf(PROVINCE) })]).toEqual([
          field,
          found(district, office, second),
        ]);
        expect([field, await searchFor({ [field]: withinOf(OFFICE) })]).toEqual([field, found(office)]);
        expect([field, await searchFor({ [field]: withinOf(` ${OFFICE.toUpperCase()}`) })]).toEqual([
          field,
          found(office),
        ]);
        for (const location of [UNKNOWN_PLACE, 'x', '']) {
          expect([field, await searchFor({ [field]: withinOf(location) })]).toEqual([field, found()]);
        }
      }
      for (const field of ['createdAtLocation', 'updatedAtLocation']) {
        const exactly = (term: string): Promise<Found> => searchFor({ [field]: { type: 'exact', term } });
        expect(await exactly(DISTRICT)).toEqual(found(district));
        expect(await exactly(PROVINCE)).toEqual(found());
        expect(await exactly(UNKNOWN_PLACE)).toEqual(found());
      }
    });
  });

  describe('by a tree', () => {
    it('combines what has a value and what has none (S-6)', async () => {
      const a = aRecord({ id: aUuid(1), type: 'a', assignedTo: 'u-1', updatedBy: null });
      const b = aRecord({ id: aUuid(2), type: 'b', assignedTo: null, updatedBy: 'u-1' });
      const c = aRecord({ id: aUuid(3), type: 'c', assignedTo: null, updatedBy: null });
      await storeRecords(test.database, [a, b, c]);
      const assigned = { assignedTo: { type: 'exact', term: 'u-1' } };
      const updated = { updatedBy: { type: 'exact', term: 'u-1' } };
      const query = (type: string, ...clauses: object[]) => ({ type, clauses });
      const searchBy = (tree: object): Promise<Found> => search({ query: tree, sort: byId });
      expect(await searchBy(query('or', assigned, updated))).toEqual(found(a, b));
      expect(await searchBy(query('and', assigned, updated))).toEqual(found());
      expect(await searchBy(query('or', query('and', assigned, updated), { eventType: 'c' }))).toEqual(found(c));
      expect(await searchBy(query('and', query('or', assigned, { eventType: 'c' }), { flags: {} }))).toEqual(
        found(a, c),
      );
      expect(await searchBy(query('and', { 'legalStatuses.DECLARED.createdAtLocation': null }))).toEqual(
        found(a, b, c),
      );
    });
  });
});
