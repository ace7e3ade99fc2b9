import pg from 'pg';
import { Connections } from '../../src/platform/database/pools/connections.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { untilAsleep, untilNothingRuns } from '../support/database-activity.js';
import { administer, createTestDatabase, nameOf, type TestDatabase } from '../support/postgres.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase({ migrated: false });
});
afterAll(() => test.drop());

const SLEEP = sql`select pg_sleep(60)`;

/** Runs until the test lets it end, with the table `enough`. */
const untilThere = () =>
  test.database.query(sql`
    do $$ begin
      while not exists (select from pg_class where relname = 'enough') loop perform pg_sleep(0.01); end loop;
    end $$`);

const backend = async (signal?: AbortSignal): Promise<number | undefined> =>
  (await test.database.query<{ pid: number }>(sql`select pg_backend_pid() as pid`, signal))[0]?.pid;

describe('a signal that aborts', () => {
  it('cancels a statement, which fails with its reason', async () => {
    const controller = new AbortController();
    const outcome = test.database.query(SLEEP, controller.signal).catch((error: unknown) => error);
    await untilAsleep(test.database, 1);
    const reason = new Error('nobody waits for it any more');
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    await untilNothingRuns(test.database);
  });

  it('cancels the statement that a snapshot runs, and lets no later one begin', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    let after: unknown;
    const outcome = test.database
      .snapshot(async (transaction) => {
        await transaction.query(SLEEP).catch(() => undefined);
        after = await transaction.query(sql`select 1`).catch((error: unknown) => error);
        throw new Error('the work failed');
      }, controller.signal)
      .catch((error: unknown) => error);
    await untilAsleep(test.database, 1);
    controller.abort(reason);
    expect(await outcome).toEqual(new Error('the work failed'));
    expect(after).toBe(reason);
    await untilNothingRuns(test.database);
  });

  it('cancels nothing but its own statement', async () => {
    const controller = new AbortController();
    const others = [untilThere(), untilThere()];
    const outcome = test.database.query(SLEEP, controller.signal).catch((error: unknown) => error);
    await untilAsleep(test.database, 3);
    controller.abort(new Error('enough'));
    await expect(outcome).resolves.toEqual(new Error('enough'));
    await test.database.query(sql`create table enough ()`);
    await expect(Promise.all(others)).resolves.toHaveLength(2);
  });

  it('ends the wait for a connection', async () => {
    const keepers = new AbortController();
    const kept = [1, 2, 3, 4].map(() => test.database.query(SLEEP, keepers.signal).catch(() => undefined));
    const controller = new AbortController();
    const waiting = test.database.query(sql`select 1`, controller.signal);
    controller.abort(new Error('too late'));
    await expect(waiting).rejects.toThrow('too late');
    keepers.abort(new Error('done'));
    await Promise.all(kept);
    await expect(test.database.query(sql`select 1 as one`)).resolves.toEqual([{ one: 1 }]);
  });

  it('begins nothing when it aborts while a connection is being admitted', async () => {
    const controller = new AbortController();
    const pool = new pg.Pool({ connectionString: test.url, max: 1 });
    let begun = 0;
    const admitted = new Connections(
      () => pool,
      (client) => {
        client.on('notice', () => (begun += 1));
        controller.abort(new Error('too late'));
        return Promise.resolve();
      },
    );
    const notice = sql`do $$ begin raise notice 'begun'; end $$`;
    await expect(admitted.query(notice, controller.signal)).rejects.toThrow('too late');
    await pool.end();
    expect(begun).toBe(0);
  });

  it('begins nothing when it has aborted before', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(test.database.query(sql`select 1`, signal)).rejects.toThrow('too late');
    await expect(test.database.snapshot(() => Promise.resolve(1), signal)).rejects.toThrow('too late');
  });

  it('never hits the next statement of the connection, whenever it comes', async () => {
    for (let delay = 0; delay < 60; delay += 1) {
      const controller = new AbortController();
      const query = test.database.query(sql`select pg_sleep(0.002)`, controller.signal).catch(() => undefined);
      setTimeout(() => {
        controller.abort(new Error('enough'));
      }, delay / 10);
      await query;
      // All four connections of the pool are given something to do at once.
      await Promise.all([1, 2, 3, 4].map(() => test.database.query(sql`select pg_sleep(0.001)`)));
    }
  });

  it('leaves the connection to others', async () => {
    const controller = new AbortController();
    const outcome = test.database.query(SLEEP, controller.signal).catch((error: unknown) => error);
    await untilAsleep(test.database, 1);
    const [asleep] = await test.database.query<{ pid: number }>(sql`
      select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`);
    controller.abort(new Error('enough'));
    await outcome;
    expect(await Promise.all([1, 2, 3, 4].map(() => backend()))).toContain(asleep?.pid);
  });
});

describe('a failure of a statement', () => {
  it('stays what it is where the signal has not aborted', async () => {
    const { signal } = new AbortController();
    await expect(test.database.query(sql`select 1 / 0`, signal)).rejects.toMatchObject({ code: '22012' });
    const cancelled = test.database.query(SLEEP, signal).catch((error: unknown) => error);
    await untilAsleep(test.database, 1);
    await administer(
      `select pg_cancel_backend(pid) from pg_stat_activity where datname = '${nameOf(test)}' and query like '%pg_sleep(60)%'`,
    );
    expect(await cancelled).toMatchObject({ code: '57014' });
  });
});
