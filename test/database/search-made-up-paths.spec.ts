import type { Transaction } from '../../src/platform/database/pools/connections.js';
import { Database } from '../../src/platform/database/pools/database.js';
import { createDataSource } from '../../src/platform/database/schema/data-source.js';
import { DictionaryFollower } from '../../src/events/index/near-words/dictionary-follower.js';
import { MOST_BEYOND } from '../../src/events/index/near-words/words-in-memory.js';
import { MOST_PATHS } from '../../src/events/index/near-words/known-paths.js';
import type { ShapeAspect } from '../../src/events/index/terms/data-aspect.js';
import { fieldOf } from '../../src/events/index/values/data-path.js';
import { aRecord } from '../support/builders/a-record.js';
import { addMadeUpPaths, addMadeUpYears } from '../support/made-up-paths.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { searchRecords } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';
import { exact, range } from '../support/value-conditions.js';

describe('a process that starts where paths and kinds of values are made up without end (Q-2)', () => {
  let test: TestDatabase;
  let starting: Database;
  let rowsRead = 0;

  const early = aRecord({ declaration: { early: 'Abimbola', born: '1984-05-06' } });
  const late = aRecord({ declaration: { late: 'Chikondi', died: '2019-07-08' } });
  const latest = aRecord({ declaration: { latest: 'Temwanani' } });
  const SEARCHES = {
    early: { data: { early: exact('Abimbola') } },
    late: { data: { late: exact('Chikondi') } },
    latest: { data: { latest: exact('Temwanani') } },
    born: { data: { born: range('1984-01-01', '1984-12-31') } },
    died: { data: { died: range('2000-01-01', '2019-12-31') } },
    diedBefore: { data: { died: range('1800-01-01', '2018-12-31') } },
    elsewhere: { data: { late: exact('Abimbola') } },
    anyEarly: { data: exact('Abimbola') },
    anyLate: { data: exact('Chikondi') },
    anyYear: { data: range('2019-01-01', '2019-12-31') },
  };

  beforeAll(async () => {
    test = await createTestDatabase();
    starting = new Database(await createDataSource(test.url, 4).initialize());
    await storeRecords(test.database, [early]);
    await addMadeUpPaths(test.database, 1);
    await addMadeUpYears(test.database, 10_000);
    await addMadeUpPaths(test.database, MOST_PATHS + 10);
    await storeRecords(test.database, [late]);
    const snapshot = starting.patient.snapshot.bind(starting.patient);
    jest
      .spyOn(starting.patient, 'snapshot')
      .mockImplementation((work, ...others) => snapshot((transaction) => work(counting(transaction)), ...others));
  });

  afterAll(async () => {
    await starting.dataSource.destroy();
    await test.drop();
  });

  const counting = (transaction: Transaction): Transaction => ({
    client: transaction.client,
    query: async (statement) => {
      const rows = await transaction.query<never>(statement);
      rowsRead += rows.length;
      return rows;
    },
  });

  /** The totals of all searches, by a process that has just started. */
  async function totals(follower: DictionaryFollower): Promise<Readonly<Record<string, number>>> {
    const found: Record<string, number> = {};
    for (const [name, clause] of Object.entries(SEARCHES)) {
      const body = { query: { clauses: [clause] } };
      found[name] = (await searchRecords(test.database, body, await follower.caughtUp())).total;
    }
    return found;
  }

  const EXPECTED = {
    early: 1,
    late: 1,
    latest: 0,
    born: 1,
    died: 1,
    diedBefore: 0,
    elsewhere: 0,
    anyEarly: 1,
    anyLate: 1,
    anyYear: 1,
  };

  async function shapesOf(follower: DictionaryFollower): Promise<unknown> {
    const shapes = await follower.shapes();
    const kinds = (field: string) =>
      (['word', 'day', 'place', 'year 1984', 'year 2019'] satisfies readonly ShapeAspect[]).filter((aspect) =>
        shapes.field(fieldOf(field)).has(aspect),
      );
    return {
      early: kinds('early'),
      born: kinds('born'),
      beyond: kinds('late'),
      made: shapes.field(fieldOf('early')).years,
    };
  }

  it('knows what is at the latest paths together while that is little', async () => {
    const follower = new DictionaryFollower(starting);
    expect(await shapesOf(follower)).toEqual({
      early: [],
      born: ['day', 'year 1984'],
      beyond: ['day', 'year 2019'],
      made: [],
    });
    expect(await totals(follower)).toEqual(EXPECTED);
  }, 300_000);

  it('reads a bounded number of rows, and finds the same', async () => {
    await addMadeUpYears(test.database, MOST_BEYOND);
    rowsRead = 0;
    const follower = new DictionaryFollower(starting);
    expect(await shapesOf(follower)).toEqual({
      early: [],
      born: ['day', 'year 1984'],
      beyond: ['word', 'day', 'place', 'year 1984', 'year 2019'],
      made: [],
    });
    expect(await totals(follower)).toEqual(EXPECTED);
    // Twice, with words and without: the oldest paths, what they are, what is at each, and the kinds at all others.
    expect(rowsRead).toBeLessThan(2 * (3 * MOST_PATHS + 21_000));
    // What is written after the start is followed.
    await storeRecords(test.database, [latest]);
    expect(await totals(follower)).toEqual({ ...EXPECTED, latest: 1 });
  }, 300_000);
});
