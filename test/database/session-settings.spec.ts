import { Socket } from 'node:net';
import pg from 'pg';
import { applySessionSettings } from '../../src/platform/database/connection/session-settings.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

describe('a connection of the pool', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });

  afterAll(() => test.drop());

  it('plans, sorts and reads as searches need it, whatever the server is set to', async () => {
    const rows = await test.database.query(sql`
      select current_setting('jit') as jit, current_setting('random_page_cost')::float8 <= 1.1 as "isCheap",
             pg_size_bytes(current_setting('work_mem')) >= pg_size_bytes('32MB') as "hasRoom",
             -- 0 where the operating system cannot read ahead.
             current_setting('effective_io_concurrency')::int not between 1 and 99 as "readsAhead"`);
    expect(rows).toEqual([{ jit: 'off', isCheap: true, hasRoom: true, readsAhead: true }]);
  });

  it('writes and reads values alike, and sees what others commit, whatever the server is set to', async () => {
    const [server] = await test.database.query<{ readonly number: number }>(
      sql`select current_setting('server_version_num')::int as number`,
    );
    const options = [
      'datestyle=SQL,DMY',
      'timezone=Asia/Kathmandu',
      'intervalstyle=sql_standard',
      'bytea_output=escape',
      'extra_float_digits=0',
      // From 19 on it cannot be off.
      ...((server?.number ?? 0) < 190_000 ? ['standard_conforming_strings=off'] : []),
      'default_transaction_isolation=serializable',
    ];
    const client = new pg.Client({
      connectionString: test.url,
      options: options.map((option) => `-c ${option}`).join(' '),
      types: { getTypeParser: () => (value: string) => value },
    });
    await client.connect();
    try {
      await applySessionSettings(client);
      const { rows } = await client.query(`
        select '2026-11-27 19:30:00Z'::timestamptz as instant, '2026-11-27 19:30:00Z'::timestamptz::date as day,
               interval '1 day 2 hours' as duration, '\\x5c00'::bytea as bytes, 0.1::float8 + 0.2::float8 as number,
               current_setting('transaction_isolation') as isolation`);
      expect(rows).toEqual([
        {
          instant: '2026-11-27 19:30:00+00',
          day: '2026-11-27',
          duration: '1 day 02:00:00',
          bytes: '\\x5c00',
          number: '0.30000000000000004',
          isolation: 'read committed',
        },
      ]);
    } finally {
      await client.end();
    }
  });

  it('is not bound by the time limits of its role', async () => {
    const options = ['statement_timeout=30s', 'lock_timeout=2s', 'idle_session_timeout=5s'];
    const client = new pg.Client({
      connectionString: test.url,
      options: options.map((option) => `-c ${option}`).join(' '),
    });
    await client.connect();
    try {
      await applySessionSettings(client);
      const { rows } = await client.query(`
        select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
               current_setting('idle_session_timeout') as idle`);
      expect(rows).toEqual([{ statement: '0', lock: '0', idle: '0' }]);
    } finally {
      await client.end();
    }
  });

  it('is ended by the server within five seconds when its process is cut off, with the locks that it holds', async () => {
    const rows = await test.database.query(sql`
      select current_setting('tcp_keepalives_idle') as idle, current_setting('tcp_keepalives_interval') as interval,
             current_setting('tcp_keepalives_count') as count`);
    expect(rows).toEqual([{ idle: '2', interval: '1', count: '3' }]);
  });

  it('leaves no statement running when its process is gone', async () => {
    const socket = new Socket();
    const client = new pg.Client({ connectionString: test.url, stream: () => socket });
    client.on('error', () => undefined);
    await client.connect();
    await applySessionSettings(client);
    const abandoned = client.query(`select pg_sleep(600)`).catch(() => 'cut off');
    const running = async () =>
      (
        await test.database.query(sql`
          select from pg_stat_activity where datname = current_database() and query = 'select pg_sleep(600)'`)
      ).length;
    await eventually('the statement runs', async () => (await running()) === 1);
    socket.destroy();
    expect(await abandoned).toBe('cut off');
    await eventually('the statement is ended', async () => (await running()) === 0);
  });
});
