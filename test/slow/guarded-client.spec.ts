import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { GuardedClient } from '../../src/platform/database/connection/guarded-client.js';
import { Primary } from '../../src/platform/database/connection/primary.js';
import { Connections } from '../../src/platform/database/pools/connections.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { HANG_MS } from '../support/time-outs.js';

/**
 * Of a statement: long enough that the server has begun it before it is cancelled. A cancel before that has no effect.
 */
const LIMIT_MS = 2_000;

let test: TestDatabase;
let proxy: TcpProxy;
const clients: GuardedClient[] = [];
beforeAll(async () => {
  test = await createTestDatabase({ migrated: false });
});
afterAll(() => test.drop());
beforeEach(async () => {
  proxy = await TcpProxy.to(test.url);
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.abandon(new Error('the test is over'));
  await proxy.close();
});

async function connected(statementMs: number): Promise<GuardedClient> {
  const client = new GuardedClient({ connectionString: proxy.url, statementMs });
  await client.connect();
  clients.push(client);
  return client;
}

describe('GuardedClient', () => {
  it('cancels a statement that takes too long, and goes on', async () => {
    const client = await connected(LIMIT_MS);
    await expect(client.query('select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' });
    client.allow('long');
    await expect(client.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
  });

  it('leaves a statement alone that is allowed to take long', async () => {
    const client = await connected(LIMIT_MS);
    client.allow('long');
    await expect(client.query('select pg_sleep(3)')).resolves.toMatchObject({ rowCount: 1 });
    client.allow('usual');
    await expect(client.query('select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' });
  });

  it('counts the time of each statement anew, of those that wait too', async () => {
    const client = await connected(5_000);
    const all = [1, 2, 3, 4].map(() => client.query('select pg_sleep(1.5)'));
    await expect(Promise.all(all)).resolves.toHaveLength(4);
    expect(client.busyMs).toBe(0);
  });

  it('is destroyed when nothing answers, two seconds after the cancel', async () => {
    const client = await connected(300);
    proxy.freeze();
    const began = performance.now();
    await expect(client.query('select 1')).rejects.toThrow('did not end a statement that was cancelled');
    expect(performance.now() - began).toBeLessThan(HANG_MS);
  });

  it('ends where nothing comes through any more, without waiting for the server to hang up', async () => {
    const client = await connected(300);
    proxy.freeze();
    await expect(client.end()).resolves.toBeUndefined();
  });

  it('does not end the process when the server ends it, whoever listens, and says why it was ended', async () => {
    const client = await connected(5_000);
    const ended = new Promise((resolve) => client.once('end', resolve));
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await test.dataSource.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    await expect(client.query('select 1')).rejects.toMatchObject({
      message: 'Connection terminated: terminating connection due to administrator command',
      cause: { code: '57P01' },
    });
  });

  it('does not wait for a server that takes a connection and says nothing', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const config = { host: '127.0.0.1', port, connectionTimeoutMillis: 300 };
    await expect(new GuardedClient(config).connect()).rejects.toThrow('timeout expired');
    silent.close();
  });
});

describe('a pool of the primary', () => {
  it('gives up a connection on which a signal has no effect, and makes another', async () => {
    const pool = new Primary(proxy.url).pool('matricula test', 1);
    const database = new Connections(() => pool);
    await database.query(sql`select 1`);
    proxy.freeze();
    const controller = new AbortController();
    const lost = database.query(sql`select 1`, controller.signal);
    const reason = new Error('nobody waits for it any more');
    setTimeout(() => {
      controller.abort(reason);
    }, 100);
    const began = performance.now();
    await expect(lost).rejects.toBe(reason);
    expect(performance.now() - began).toBeLessThan(HANG_MS);
    await expect(database.query(sql`select 1 as one`)).resolves.toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('survives the end of all its connections, while others wait for one', async () => {
    const pool = new Primary(test.url).pool('matricula test', 2);
    const database = new Connections(() => pool);
    for (let round = 0; round < 10; round += 1) {
      const asked = Array.from({ length: 20 }, () => database.query(sql`select pg_sleep(0.01)`).catch(() => 'lost'));
      await sleep(15);
      await test.dataSource.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'matricula test' and datname = current_database()`,
      );
      await Promise.all(asked);
    }
    // A connection that was idle at its end may be taken once more before that is noticed.
    let answer: unknown;
    await eventually('it answers', async () => {
      answer = await database.query(sql`select 1 as one`).catch(() => undefined);
      return answer !== undefined;
    });
    expect(answer).toEqual([{ one: 1 }]);
    await pool.end();
  });
});
