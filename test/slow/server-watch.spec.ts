import { readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { GuardedClient } from '../../src/platform/database/connection/guarded-client.js';
import { Primary } from '../../src/platform/database/connection/primary.js';
import { type ServerState, ServerWatch, writeFaultOf } from '../../src/platform/database/connection/server-watch.js';
import { clusterPath } from '../../src/platform/database/embedded/cluster.js';
import { openEmbeddedServer } from '../../src/platform/database/embedded/embedded-server.js';
import { Connections } from '../../src/platform/database/pools/connections.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { eventually } from '../support/eventually.js';
import { idleMsOf } from '../support/idle-clock.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { scratchDirectory } from '../support/scratch-directory.js';

/** so long after the database can be reached, by the clock of an idle machine. */
const BACK_MS = 10_000;

describe('ServerWatch', () => {
  let test: TestDatabase;
  let proxy: TcpProxy;
  let primary: Primary;
  let pool: Pool;
  let database: Connections;
  let watch: ServerWatch;
  let told: ServerState[];

  beforeAll(async () => {
    test = await createTestDatabase({ migrated: false });
  });
  afterAll(() => test.drop());
  beforeEach(async () => {
    proxy = await TcpProxy.to(test.url);
    primary = new Primary(proxy.url);
    pool = primary.pool('matricula test', 3);
    database = new Connections(() => pool);
    told = [];
    watch = new ServerWatch(primary, (state) => told.push(state));
    watch.onApplicationBootstrap();
    // Three connections.
    await Promise.all([1, 2, 3].map(() => database.query(sql`select pg_sleep(0.1)`)));
  });
  afterEach(async () => {
    await watch.onApplicationShutdown();
    await proxy.close();
    await pool.end();
  });

  const answers = () => database.query<{ one: number }>(sql`select 1 as one`);
  const lost = () => database.query(sql`select 1`).catch((error: unknown) => String(error));

  it('gives up connections that died without a word, while new ones can be made', async () => {
    proxy.freeze();
    const tookMs = await idleMsOf(test.database, async () => {
      const asked = await Promise.all([lost(), lost(), lost()]);
      expect(new Set(asked)).toEqual(
        new Set(['Error: Connection terminated: a statement, or its answer, got lost on the way']),
      );
      await expect(answers()).resolves.toEqual([{ one: 1 }]);
    });
    expect(tookMs).toBeLessThan(BACK_MS);
  });

  it('does so when the database can be reached again, after nothing could pass for a while', async () => {
    proxy.hang();
    const asked = [lost(), lost(), lost(), lost(), lost()];
    await eventually('it is noticed', () => watch.state === 'down');
    proxy.passNew();
    const tookMs = await idleMsOf(test.database, async () => {
      await eventually('the service answers', () =>
        answers().then(
          () => true,
          () => false,
        ),
      );
      await eventually('it is up', () => watch.state === 'up');
    });
    expect(tookMs).toBeLessThan(BACK_MS);
    await Promise.all(asked);
    expect(told).toEqual(['down', 'up']);
  });

  it('leaves a statement alone that takes its time, and one that waits for a lock', async () => {
    await test.dataSource.query('create table waited_for ()');
    const waiting = test.database.transaction(async (transaction) => {
      await transaction.query(sql`lock table waited_for`);
      const locked = database.query(sql`select from waited_for`);
      await database.query(sql`select pg_sleep(6)`);
      return { locked };
    });
    await expect(waiting.then(({ locked }) => locked)).resolves.toEqual([]);
  });
});

describe('a server that ends when nobody is connected any more', () => {
  it('is left by all connections that do nothing, and by those at work when they are done', async () => {
    const directory = await scratchDirectory('matricula-ending-');
    const server = await openEmbeddedServer(directory, () => undefined);
    const primary = new Primary(server.url);
    const pool = primary.pool('matricula test', 3);
    const watch = new ServerWatch(primary, () => undefined);
    try {
      const single = await primary.connect('matricula test');
      const database = new Connections(() => pool);
      await Promise.all([1, 2].map(() => database.query(sql`select pg_sleep(0.1)`)));
      const pid = Number(
        (await readFile(join(clusterPath(directory), 'data/postmaster.pid'), 'utf8')).split('\n', 1)[0],
      );
      const atWork = database.query(sql`select pg_sleep(2), 1 as one`);
      const left = new Promise((resolve) => single.once('error', resolve));
      process.kill(pid, 'SIGTERM');
      watch.onApplicationBootstrap();
      await expect(left).resolves.toMatchObject({ message: 'Connection terminated: the database is shutting down' });
      await expect(atWork).resolves.toMatchObject([{ one: 1 }]);
      await eventually('the server has ended', () => !isRunning(pid));
    } finally {
      await watch.onApplicationShutdown();
      await pool.end();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    }
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a database that cannot be written to', () => {
  it('says that its disk is full, and says nothing of it any more once there is room', async () => {
    const directory = await scratchDirectory('matricula-full-');
    const server = await openEmbeddedServer(directory, () => undefined);
    const primary = new Primary(server.url);
    const client = await primary.connect('matricula test');
    try {
      // What makes the server keep a directory for temporary files.
      expect(await writeFaultOf(client)).toBeUndefined();
      for (let number = 0; number < 20; number += 1) {
        const file = `pgsql_tmp${String(client.backendPid)}.${number}`;
        // Whatever is written there finds no space on the device.
        await symlink('/dev/full', join(clusterPath(directory), 'data/base/pgsql_tmp', file)).catch(() => undefined);
      }
      expect(primary.isOutOfRoom).toBe(false);
      expect(await writeFaultOf(client)).toBe('full');
      expect(primary.isOutOfRoom).toBe(true);
      const other = await primary.connect('matricula test');
      expect(await writeFaultOf(other)).toBeUndefined();
      other.abandon(new Error('the test is over'));
    } finally {
      client.abandon(new Error('the test is over'));
      await server.close();
      await rm(directory, { recursive: true, force: true });
    }
  });

  it('says that it takes no writes', async () => {
    const test = await createTestDatabase({ migrated: false });
    const client = new GuardedClient({ connectionString: test.url });
    await client.connect();
    await client.query('set default_transaction_read_only = on');
    expect(await writeFaultOf(client)).toBe('read-only');
    client.abandon(new Error('the test is over'));
    await test.drop();
  });
});
