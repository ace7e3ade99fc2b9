import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { anInstant } from '../support/builders/an-instant.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { type Found, searchRecords } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';

const byId = [{ field: 'id' }];

describe('a search', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });

  afterEach(() => test.database.query(sql`truncate event cascade`));

  afterAll(() => test.drop());

  const search = (body: object): Promise<Found> => searchRecords(test.database, body);

  describe('in pages', () => {
    const everything = { clauses: [{ flags: {} }] };

    it('counts all matches whatever the page shows of them (S-4, S-5)', async () => {
      const records = [1, 2, 3, 4, 5].map((number) => aRecord({ id: aUuid(number) }));
      await storeRecords(test.database, records);
      const page = (limit: number, offset: number): Promise<Found> =>
        search({ query: everything, limit, offset, sort: byId });
      expect(await page(2, 0)).toEqual({ total: 5, ids: [aUuid(1), aUuid(2)] });
      expect(await page(2, 4)).toEqual({ total: 5, ids: [aUuid(5)] });
      expect(await page(0, 0)).toEqual({ total: 5, ids: [] });
      expect(await page(10, 5)).toEqual({ total: 5, ids: [] });
      expect(await page(10, Number.MAX_SAFE_INTEGER)).toEqual({ total: 5, ids: [] });
      expect(await search({ query: { clauses: [{ eventType: 'x' }] } })).toEqual({ total: 0, ids: [] });
    });

    it('walks every match once, ties and all', async () => {
      const records = Array.from({ length: 25 }, () => aRecord());
      await storeRecords(test.database, records.toReversed());
      const pages = await Promise.all(
        [0, 10, 20].map((offset) => search({ query: everything, limit: 10, offset, sort: [{ field: 'type' }] })),
      );
      expect(pages.flatMap(({ ids }) => ids)).toEqual(records.map(({ id }) => id));
    });
  });

  describe('in order', () => {
    const everything = { clauses: [{ flags: {} }] };

    it('is newest first, then by id, when nothing is asked (S-12)', async () => {
      const [early, late] = [anInstant('2026-01-01T00:00:00Z'), anInstant('2026-01-01T00:00:00.001Z')];
      const records = [
        aRecord({ id: aUuid(3), updatedAt: early }),
        aRecord({ id: aUuid(2), updatedAt: late }),
        aRecord({ id: aUuid(1), updatedAt: early }),
      ];
      await storeRecords(test.database, records);
      const newestFirst = { total: 3, ids: [aUuid(2), aUuid(1), aUuid(3)] };
      expect(await search({ query: everything })).toEqual(newestFirst);
      expect(await search({ query: everything, sort: [] })).toEqual(newestFirst);
    });

    it('puts missing values last in both directions, and text by code point (S-12)', async () => {
      const assigned = ['b', null, 'B', 'a', '\uff5e', '\u{1f600}', 'é'];
      await storeRecords(
        test.database,
        assigned.map((assignedTo, at) => aRecord({ id: aUuid(at + 1), assignedTo })),
      );
      const ordered = async (direction: string): Promise<readonly string[]> =>
        (await search({ query: everything, sort: [{ field: 'assignedTo', direction }] })).ids;
      expect(await ordered('asc')).toEqual([3, 4, 1, 7, 5, 6, 2].map(aUuid));
      expect(await ordered('desc')).toEqual([6, 5, 7, 1, 4, 3, 2].map(aUuid));
    });

    it('orders a field of the declaration by number, then by text; whatever is neither comes last (S-12)', async () => {
      const values = [
        10,
        9.5,
        -1,
        'b',
        'B',
        '10',
        '2024-01-31',
        true,
        ['a'],
        [],
        { label: 'a', value: 'a' },
        { age: 3 },
      ];
      await storeRecords(test.database, [
        ...values.map((value, at) => aRecord({ id: aUuid(at + 1), declaration: { 'a.b': value } })),
        aRecord({ id: aUuid(20), declaration: {} }),
      ]);
      const ordered = async (field: string, direction: string): Promise<readonly string[]> =>
        (await search({ query: everything, sort: [{ field, direction }] })).ids;
      const last = [9, 10, 11, 12, 20];
      expect(await ordered('declaration.a.b', 'asc')).toEqual([3, 2, 1, 6, 7, 5, 4, 8, ...last].map(aUuid));
      expect(await ordered('declaration.a____b', 'desc')).toEqual([8, 4, 5, 7, 6, 1, 2, 3, ...last].map(aUuid));
    });

    it('orders a name by surname, first name, middle name, folded, and a member by its own kind (S-12)', async () => {
      const names = [
        { firstname: 'Zoe', surname: 'Banda Ama' },
        { firstname: 'zoe', surname: 'BANDA' },
        { firstname: 'Ágnes', surname: 'Bándá' },
        { firstname: 'Agnes', middlename: 'B', surname: 'Banda' },
        { firstname: 'Zara' },
        { surname: "N'Zau" },
        { surname: 'Nyau' },
        { surname: '\u{10400}', firstname: 'Adam' },
        { surname: ' ', firstname: '-' },
        [{ surname: 'Abel' }],
        'Aaron',
      ];
      await storeRecords(test.database, [
        ...names.map((value, at) => aRecord({ id: aUuid(at + 1), declaration: { 'child.name': value } })),
        aRecord({ id: aUuid(20), declaration: { 'child.name.surname': 'Czar' } }),
        aRecord({ id: aUuid(21), declaration: { child: { name: { surname: 'Adu' } } } }),
      ]);
      const ordered = async (field: string, direction: string): Promise<readonly string[]> =>
        (await search({ query: everything, sort: [{ field, direction }] })).ids;
      const missing = [9, 10, 20];
      expect(await ordered('declaration.child.name', 'asc')).toEqual(
        [5, 11, 21, 3, 4, 2, 1, 7, 6, 8, ...missing].map(aUuid),
      );
      expect(await ordered('declaration.child____name', 'desc')).toEqual(
        [8, 6, 7, 1, 2, 4, 3, 21, 11, 5, ...missing].map(aUuid),
      );
      expect(await ordered('declaration.child.name.surname', 'asc')).toEqual(
        [9, 2, 4, 1, 3, 20, 6, 7, 8, 5, 10, 11, 21].map(aUuid),
      );
    });

    it('orders by a member of an address and of a measure, and by none of a list (S-12)', async () => {
      const address = (street?: string) => ({
        country: 'FAR',
        addressType: 'DOMESTIC',
        administrativeArea: aUuid(0xa0),
        ...(street !== undefined && { streetLevelDetails: { street } }),
      });
      const values = [
        { ...address('A'), country: 'ZMB' },
        address(),
        [{ ...address('B'), country: 'AAA' }, { country: 'BBB' }],
        [{ ...address(), country: 'AAA' }],
        { label: 'x', value: 'y', country: 'CCC' },
        { country: 3 },
        { country: ['x'] },
      ];
      await storeRecords(
        test.database,
        values.map((value, at) => aRecord({ id: aUuid(at + 1), declaration: { 'a.b': value } })),
      );
      const sort = [{ field: 'declaration.a.b.country' }];
      expect((await search({ query: everything, sort })).ids).toEqual([6, 5, 2, 1, 3, 4, 7].map(aUuid));
    });

    it('takes the keys one after the other, each field by its first mention', async () => {
      const record = (number: number, type: string, weight: number) =>
        aRecord({ id: aUuid(number), type, declaration: { weight } });
      await storeRecords(test.database, [record(1, 'b', 1), record(2, 'a', 1), record(3, 'b', 2), record(4, 'a', 2)]);
      const sort = [
        { field: 'declaration.weight', direction: 'desc' },
        { field: 'type', direction: 'asc' },
        { field: 'declaration.weight', direction: 'asc' },
        { field: 'type', direction: 'desc' },
      ];
      expect((await search({ query: everything, sort })).ids).toEqual([4, 3, 2, 1].map(aUuid));
    });
  });
});
