import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { aRecord } from '../support/builders/a-record.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { searchRecords } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';
import { exact, fuzzy, range } from '../support/value-conditions.js';

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
    ['a year, fuzzily: twice itself, and 21 with another digit', fuzzy('1999'), 23],
    ['a month, fuzzily', fuzzy('12'), 1],
    ['a day of any month, fuzzily', fuzzy('17'), 411],
  ])('is searched exactly for %s', async (_, condition, expected) => {
    expect(await total({ day: condition })).toBe(expected);
    if (condition.type !== 'fuzzy') expect(await total(condition)).toBe(expected);
  });

  it('is searched for a word that no record has beside a day of any of these years', async () => {
    expect(await total({ day: fuzzy('qqqqqq 17') })).toBe(0);
    expect(await total(fuzzy('qqqqqq 17'))).toBe(0);
  });
});
