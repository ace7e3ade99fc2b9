import type { DataSource } from 'typeorm';
import type { Transaction } from '../../src/platform/database/pools/connections.js';
import { Database } from '../../src/platform/database/pools/database.js';
import type { SearchDatabase } from '../../src/platform/database/pools/search-database.js';
import { createDataSource } from '../../src/platform/database/schema/data-source.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { eventually } from '../support/eventually.js';
import { become, replicasOf, search, searchesOver, servedOf, statesOf } from '../support/replica-searches.js';
import { type ReplicatedServer, startReplicatedServer } from '../support/replicated-server.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const POOL_SIZE = 4;
/** What a replica does not answer as long as a test takes, and the primary answers at once. */
const LONG_ON_REPLICAS = sql`select pg_is_in_recovery() from pg_sleep(case when pg_is_in_recovery() then 600 else 0 end)`;

let server: ReplicatedServer;
let dataSource: DataSource;
let primary: Database;
let lines: string[];
let open: SearchDatabase[];
beforeAll(async () => {
  server = await startReplicatedServer(2);
  dataSource = await createDataSource(server.primaryUrl, POOL_SIZE).initialize();
  primary = new Database(dataSource);
  await dataSource.query('create table note (id int primary key)');
});
afterAll(async () => {
  await dataSource.destroy();
  await server.stop();
});
beforeEach(async () => {
  [lines, open] = [[], []];
  await dataSource.query('truncate note');
});
afterEach(() => Promise.all(open.map((searches) => searches.onApplicationShutdown())));

const { replicaUrl, onReplica, untilAsleep, pauseReplay } = replicasOf(() => server);
const { searchesOf, upOn } = searchesOver(() => ({
  primary,
  primaryUrl: server.primaryUrl,
  poolSize: POOL_SIZE,
  lines,
  open,
}));

const add = (id: number): Promise<unknown> => primary.query(sql`insert into note values (${id})`);

describe('SearchDatabase', () => {
  it('reads from the primary without replicas, and until one is found fit', async () => {
    const without = searchesOf([]);
    const starting = searchesOf([replicaUrl(0)]);
    // In the same turn: nothing can be known of the replica yet.
    expect(await Promise.all([search(without), search(starting)])).toEqual([
      { onReplica: false, notes: 0 },
      { onReplica: false, notes: 0 },
    ]);
    await become(starting, 'up');
    expect(await search(starting)).toEqual({ onReplica: true, notes: 0 });
    expect([without.servedByPrimary, starting.servedByPrimary, servedOf(starting)]).toEqual([1, 1, [1]]);
    expect(lines).toEqual([`searches are read from the replica at ${new URL(replicaUrl(0)).host}/matricula`]);
  });

  it('finds with each search what was committed before it, in one process and in another', async () => {
    const [here, there] = [await upOn(replicaUrl(0)), await upOn(replicaUrl(1))];
    for (let id = 1; id <= 200; id += 1) {
      await add(id);
      const found = await Promise.all([search(here), search(there)]);
      expect(found.map(({ notes }) => notes)).toEqual([id, id]);
    }
    expect([servedOf(here), servedOf(there)]).toEqual([[200], [200]]);
  });

  it('finds what was committed before it while writers and readers are many', async () => {
    const searches = await upOn(replicaUrl(0), replicaUrl(1));
    let committed = 0;
    const write = async (from: number): Promise<void> => {
      for (let id = from; id < from + 100; id += 1) {
        await add(id);
        committed += 1;
      }
    };
    const read = async (): Promise<void> => {
      while (committed < 300) {
        const before = committed;
        expect((await search(searches)).notes).toBeGreaterThanOrEqual(before);
      }
    };
    await Promise.all([write(1_000), write(2_000), write(3_000), ...Array.from({ length: 6 }, read)]);
    expect(searches.servedByPrimary).toBe(0);
  });

  it('reads one snapshot, with which total and page agree', async () => {
    const searches = await upOn(replicaUrl(0));
    const counts = await searches.snapshot(async (snapshot) => {
      const count = async (): Promise<unknown> =>
        (await snapshot.query<{ notes: number }>(sql`select count(*)::int as notes from note`))[0]?.notes;
      const before = await count();
      await add(1);
      await eventually('the replica has it', async () => (await onReplica(0, 'select from note')).length === 1);
      return [before, await count()];
    });
    expect({ counts, after: await search(searches) }).toEqual({
      counts: [0, 0],
      after: { onReplica: true, notes: 1 },
    });
  });

  it('reads from the primary what a replica has not replayed, waits once for it, and returns to it', async () => {
    const searches = searchesOf([replicaUrl(0)], 3_000);
    await become(searches, 'up');
    await pauseReplay(0);
    try {
      await add(1);
      expect(await search(searches)).toEqual({ onReplica: false, notes: 1 });
      expect(statesOf(searches)).toEqual(['behind']);
      const begunMs = performance.now();
      for (let round = 0; round < 20; round += 1) await search(searches);
      // Each of them would have waited for three seconds.
      expect(performance.now() - begunMs).toBeLessThan(60_000);
      await eventually('the lag is known', () => (searches.replicas[0]?.lagBytes ?? 0) > 0);
    } finally {
      await onReplica(0, 'select pg_wal_replay_resume()');
    }
    await become(searches, 'up');
    expect(await search(searches)).toEqual({ onReplica: true, notes: 1 });
    // Nobody is told of what comes and goes by itself.
    expect(lines).toHaveLength(1);
  });

  it('shares searches evenly between replicas, and gives none to a busy one', async () => {
    const searches = await upOn(replicaUrl(0), replicaUrl(1));
    for (let round = 0; round < 20; round += 1) await search(searches);
    expect(servedOf(searches)).toEqual([10, 10]);
    const end = new AbortController();
    const busy = Array.from({ length: 3 }, () =>
      searches.query(sql`select pg_sleep(600)`, end.signal).catch(() => undefined),
    );
    await eventually('three are being read', () => {
      const [one = 0, other = 0] = searches.replicas.map((replica) => replica.busy);
      return one + other === 3;
    });
    const before = servedOf(searches);
    const idler = searches.replicas.findIndex(({ busy }) => busy === 1);
    await search(searches);
    expect(servedOf(searches)[idler]).toBe((before[idler] ?? 0) + 1);
    end.abort(new Error('enough'));
    await Promise.all(busy);
  });

  it('answers every search while a replica is killed under them, and uses it again when it is back', async () => {
    const searches = await upOn(replicaUrl(0), replicaUrl(1));
    let isOver = false;
    let answers = 0;
    const read = async (): Promise<void> => {
      while (!isOver) {
        const [row] = await searches.query<{ notes: number }>(
          sql`select count(*)::int as notes from note, pg_sleep(0.02)`,
        );
        expect(row).toEqual({ notes: 0 });
        answers += 1;
      }
    };
    const reading = Promise.all(Array.from({ length: 8 }, read));
    try {
      await server.replicas[0]?.kill();
      await become(searches, 'down', 'up');
      const since = answers;
      await eventually('the other one goes on', () => answers > since + 20);
      await server.replicas[0]?.start();
      await become(searches, 'up', 'up');
      const [before = 0] = servedOf(searches);
      await eventually('it is searched again', () => (servedOf(searches)[0] ?? 0) > before);
    } finally {
      isOver = true;
    }
    await reading;
    expect(lines.slice(2)).toEqual([
      expect.stringMatching(/^the replica at 127\.0\.0\.1:\d+\/matricula is down, and searches are not read from it: /),
      expect.stringMatching(/^searches are read from the replica at /),
    ]);
    expect(lines.join()).not.toContain(new URL(server.primaryUrl).password);
  });

  it('reads from the primary when all replicas are down', async () => {
    const searches = await upOn(replicaUrl(0), replicaUrl(1));
    await Promise.all(server.replicas.map((replica) => replica.kill()));
    try {
      for (let id = 1; id <= 20; id += 1) {
        await add(id);
        expect(await search(searches)).toEqual({ onReplica: false, notes: id });
      }
      await become(searches, 'down', 'down');
    } finally {
      await Promise.all(server.replicas.map((replica) => replica.start()));
    }
    await become(searches, 'up', 'up');
  });

  it('answers from the primary what a replica that hangs does not, and uses it again when it is back', async () => {
    const proxy = await TcpProxy.to(replicaUrl(0));
    try {
      const searches = await upOn(proxy.url);
      const answers = Promise.all(Array.from({ length: 2 * POOL_SIZE }, () => searches.query(LONG_ON_REPLICAS)));
      await untilAsleep(0, LONG_ON_REPLICAS.toQuery().text, POOL_SIZE);
      proxy.freeze();
      expect(await answers).toEqual(Array.from({ length: 2 * POOL_SIZE }, () => [{ pg_is_in_recovery: false }]));
      await become(searches, 'up');
      expect(await search(searches)).toEqual({ onReplica: true, notes: 0 });
    } finally {
      await proxy.close();
    }
  });

  it('reads nothing while the primary cannot say what must be found, and goes on when it can', async () => {
    const proxy = await TcpProxy.to(server.primaryUrl);
    try {
      const searches = searchesOf([replicaUrl(0)], undefined, proxy.url);
      await become(searches, 'up');
      await proxy.close();
      await expect(search(searches)).rejects.toThrow();
      await proxy.open();
      await eventually('it is searched again', () =>
        search(searches).then(
          ({ onReplica }) => onReplica,
          () => false,
        ),
      );
      expect(lines).toHaveLength(1);
    } finally {
      await proxy.close();
    }
  });

  it('reads again on the primary what replay cancels, without giving the replica up', async () => {
    const searches = await upOn(replicaUrl(0));
    await add(1);
    const notes = (snapshot: Transaction): Promise<unknown[]> =>
      snapshot.query(sql`select id, pg_is_in_recovery() as "onReplica" from note`);
    let attempts = 0;
    const found = await searches.snapshot(async (snapshot) => {
      attempts += 1;
      const first = await notes(snapshot);
      if (attempts === 1) {
        await dataSource.query('truncate note');
        await snapshot.query(sql`select pg_sleep(600)`);
      }
      return first;
    });
    expect({ attempts, found }).toEqual({ attempts: 2, found: [] });
    await become(searches, 'up');
    expect(lines).toHaveLength(1);
  });

  it('passes on what fails anywhere, and does not ask the primary', async () => {
    const searches = await upOn(replicaUrl(0));
    await expect(searches.query(sql`select 1 / 0`)).rejects.toMatchObject({ code: '22012' });
    const refused = new Error('no such page');
    await expect(searches.snapshot(() => Promise.reject(refused))).rejects.toBe(refused);
    await expect(
      searches.snapshot(async (snapshot) => {
        await snapshot.query(sql`set local statement_timeout = 20`);
        await snapshot.query(sql`select pg_sleep(600)`);
      }),
    ).rejects.toMatchObject({ code: '57014' });
    expect([searches.servedByPrimary, statesOf(searches)]).toEqual([0, ['up']]);
  });

  it('cancels a search whose signal aborts, and keeps the replica', async () => {
    const searches = await upOn(replicaUrl(0));
    const [running, waiting] = [new AbortController(), new AbortController()];
    const reason = new Error('hung up');
    const cancelled = Array.from({ length: POOL_SIZE }, () =>
      searches.query(sql`select pg_sleep(500)`, running.signal).catch((error: unknown) => error),
    );
    await untilAsleep(0, 'select pg_sleep(500)', POOL_SIZE);
    const queued = searches.query(sql`select 1`, waiting.signal).catch((error: unknown) => error);
    await eventually('it waits', () => searches.replicas[0]?.busy === POOL_SIZE + 1);
    waiting.abort(reason);
    running.abort(reason);
    expect(await Promise.all([queued, ...cancelled])).toEqual(Array.from({ length: POOL_SIZE + 1 }, () => reason));
    expect([statesOf(searches), await search(searches)]).toEqual([['up'], { onReplica: true, notes: 0 }]);
  });

  it('never reads from a server that is no replica of the primary', async () => {
    const another = new URL(replicaUrl(0));
    another.pathname = '/postgres';
    const searches = searchesOf([server.primaryUrl, another.href]);
    await eventually('both are refused', () => lines.length === 2);
    expect(await search(searches)).toEqual({ onReplica: false, notes: 0 });
    const reasons = lines.map((line) => line.split('not read from it: ')[1]).sort();
    expect([statesOf(searches), reasons]).toEqual([
      ['down', 'down'],
      ['it holds another database than the primary', 'it is no replica that replays the log of a primary'],
    ]);
  });
});
