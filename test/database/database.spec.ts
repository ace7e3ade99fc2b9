import { setTimeout as sleep } from 'node:timers/promises';
import { poolOf } from '../../src/platform/database/connection/guarded-client.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { eventually } from '../support/eventually.js';
import { administer, createTestDatabase, nameOf, type TestDatabase } from '../support/postgres.js';

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

  it('fails when its work passes over a failed statement, since nothing was committed', async () => {
    const careless = test.database.transaction(async (transaction) => {
      await transaction.query(sql`insert into note (id) values (1)`);
      await transaction.query(sql`select 1 / 0`).catch(() => undefined);
    });
    await expect(careless).rejects.toThrow('The transaction was rolled back');
    expect(await notes()).toEqual([]);
  });

  it('outlives a connection that is lost while a transaction does something else', async () => {
    const losing = test.database.transaction(async (transaction) => {
      const [row] = await transaction.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await test.database.query(sql`select pg_terminate_backend(${row?.pid})`);
      await sleep(100);
      await transaction.query(sql`insert into note (id) values (1)`);
    });
    await expect(losing).rejects.toThrow();
    expect(await notes()).toEqual([]);
  });

  it('outlives the loss of its idle connections', async () => {
    await Promise.all([notes(), notes(), notes()]);
    await administer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${nameOf(test)}'`);
    // Until then it gives them to others.
    await eventually('the pool has noticed', () => poolOf(test.dataSource)?.totalCount === 0);
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
