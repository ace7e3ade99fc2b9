import { ALL_BUT_YEARS } from '../../src/events/index/terms/terms.js';
import { aRecord } from '../support/builders/a-record.js';
import { addMadeUpFields } from '../support/made-up-paths.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { searchRecords } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';
import { exact, fuzzy, range } from '../support/value-conditions.js';

describe('a search where fields and kinds of values are made up without end (Q-1)', () => {
  let test: TestDatabase;

  const early = aRecord({ declaration: { early: 'Abimbola', born: '1984-05-06' } });
  const late = aRecord({ declaration: { late: 'Chikondi', died: '2019-07-08', phone: '0977123456' } });
  const SEARCHES = [
    [{ data: { early: exact('Abimbola') } }, 1],
    [{ data: { late: exact('Chikondi') } }, 1],
    [{ data: { latest: exact('Temwanani') } }, 0],
    [{ data: { born: range('1984-01-01', '1984-12-31') } }, 1],
    [{ data: { died: range('2000-01-01', '2019-12-31') } }, 1],
    [{ data: { died: range('1800-01-01', '2018-12-31') } }, 0],
    [{ data: { late: exact('Abimbola') } }, 0],
    [{ data: exact('Abimbola') }, 1],
    [{ data: exact('Chikondi') }, 1],
    [{ data: exact('0977123456') }, 1],
    [{ data: fuzzy('Chikondo') }, 1],
    [{ data: fuzzy('0977123456 ') }, 1],
    [{ data: fuzzy('0977123457') }, 0],
  ] as const;

  beforeAll(async () => {
    test = await createTestDatabase();
    await storeRecords(test.database, [early]);
    await addMadeUpFields(test.database, 4_100, ALL_BUT_YEARS);
    await storeRecords(test.database, [late]);
  }, 120_000);

  afterAll(() => test.drop());

  it.each(SEARCHES)('finds the same: %j', async (clause, total) => {
    expect((await searchRecords(test.database, { query: { clauses: [clause] } })).total).toBe(total);
  });
});
