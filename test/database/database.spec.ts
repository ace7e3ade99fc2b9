import { sql } from '../../src/sql/sql.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  await test.dataSource.query('create table note (id int primary key, body text)');
});
afterAll(() => test.drop());
beforeEach(() => test.dataSource.query('truncate note'));

const notes = () => test.database.query<{ id: number }>(sql`select id from note order by id`);

describe('Database', () => {
  it('answers with instants as Date, calendar dates as text and bigint as text', async () => {
    const rows = await test.database.query(
      sql`select ${'2024-02-29T12:00:00.123Z'}::timestamptz as instant, ${'2024-02-29'}::date as date, 9007199254740993::bigint as big`,
    );
    expect(rows).toEqual([
      { instant: new Date('2024-02-29T12:00:00.123Z'), date: '2024-02-29', big: '9007199254740993' },
    ]);
  });

  it('commits a transaction when its work is done', async () => {
    const result = await test.database.transaction(async (transaction) => {
      await transaction.query(sql`insert into note (id) values (1)`);
      return 'done';
    });
    expect({ result, notes: await notes() }).toEqual({ result: 'done', notes: [{ id: 1 }] });
  });

  it('rolls a transaction back when its work fails, and passes the failure on', async () => {
    const failing = test.database.transaction(async (transaction) => {
      await transaction.query(sql`insert into note (id) values (1)`);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await notes()).toEqual([]);
  });

  it('shows a snapshot the same rows throughout, whatever others commit', async () => {
    const counts = await test.database.snapshot(async (transaction) => {
      const count = async () =>
        (await transaction.query<{ count: string }>(sql`select count(*) as count from note`))[0]?.count;
      const before = await count();
      await test.database.query(sql`insert into note (id) values (1)`);
      return [before, await count()];
    });
    expect({ counts, notes: await notes() }).toEqual({ counts: ['0', '0'], notes: [{ id: 1 }] });
  });

  it('refuses to write in a snapshot', async () => {
    const writing = test.database.snapshot((transaction) => transaction.query(sql`insert into note (id) values (1)`));
    await expect(writing).rejects.toThrow('read-only');
  });
});
