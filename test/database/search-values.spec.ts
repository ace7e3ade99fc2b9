import { aRecord } from '../support/builders/a-record.js';
import { PROVINCE } from '../support/hierarchy.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';
import { searchRecords } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';
import { exact, range, within } from '../support/value-conditions.js';
import { VALUE_CONDITIONS as TABLE } from '../support/values-and-conditions.js';

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
    const isCondition = 'type' in input && typeof input.type === 'string';
    if (isCondition) expect(await finds(input, name)).toBe(holds);
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
