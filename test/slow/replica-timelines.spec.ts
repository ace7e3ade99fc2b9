import pg from 'pg';

import { createDataSource } from '../../src/platform/database/schema/data-source.js';
import { Database } from '../../src/platform/database/pools/database.js';
import { SearchDatabase } from '../../src/platform/database/pools/search-database.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { eventually } from '../support/eventually.js';
import { startReplicatedServer } from '../support/replicated-server.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { HANG_MS } from '../support/time-outs.js';

/** Where a search was read, and the notes that it found. */
const search = (searches: SearchDatabase): Promise<object[]> =>
  searches.query(sql`select pg_is_in_recovery() as "onReplica", (select count(*)::int from note) as notes`);

async function positionOf(url: string, position: string): Promise<bigint> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ bytes: string }>(`select (${position}() - '0/0'::pg_lsn)::text as bytes`);
  await client.end();
  return BigInt(rows[0]?.bytes ?? 0);
}

it('replicas that did not follow a promotion are not searched, those that did are (Q-3, Q-4)', async () => {
  const servers = await startReplicatedServer(3);
  const [ahead, standby, follower] = servers.replicas;
  if (ahead === undefined || standby === undefined || follower === undefined) throw new Error('there are too few');
  const proxy = await TcpProxy.to(servers.primaryUrl);
  const followers = await TcpProxy.to(follower.url);
  const dataSource = await createDataSource(proxy.url, 4).initialize();
  const primary = new Database(dataSource);
  const lines: string[] = [];
  const searches = new SearchDatabase({
    primary,
    server: primary.primary,
    replicaUrls: [ahead.url, followers.url],
    poolSize: 2,
    patienceMs: HANG_MS,
    onReplicaChange: (line) => lines.push(line.replace(/127\.0\.0\.1:\d+/, 'host')),
  });
  const become = (...states: readonly string[]): Promise<void> =>
    eventually(`the replicas are ${states.join(', ')}`, () =>
      states.every((state, at) => searches.replicas[at]?.state === state),
    );
  try {
    await dataSource.query('create table note (id int primary key)');
    searches.onApplicationBootstrap();
    await become('up', 'up');
    await Promise.all([standby.kill(), follower.kill()]);
    await become('up', 'down');
    await dataSource.query('insert into note select generate_series(1, 50000)');
    expect(await search(searches)).toEqual([{ onReplica: true, notes: 50_000 }]);

    await servers.stopPrimary();
    await standby.start();
    proxy.leadTo(standby.url);
    await standby.promote();
    await eventually('the promoted one takes writes', () =>
      primary.query(sql`insert into note values (-1) on conflict do nothing`).then(
        () => true,
        () => false,
      ),
    );
    // By its position alone the replica that was ahead lacks nothing.
    const [its, primarys] = await Promise.all([
      positionOf(ahead.url, 'pg_last_wal_replay_lsn'),
      positionOf(standby.url, 'pg_current_wal_lsn'),
    ]);
    expect(its).toBeGreaterThan(primarys);
    for (let look = 0; look < 20; look += 1) {
      expect(await search(searches)).toEqual([{ onReplica: false, notes: 1 }]);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await eventually('it is told', () => lines.length === 4);
    expect(lines.at(-1)).toBe(
      'the replica at host/matricula is down, and searches are not read from it: ' +
        'it follows timeline 1, and the primary writes timeline 2',
    );

    await follower.start(standby.url);
    await become('down', 'up');
    expect(await search(searches)).toEqual([{ onReplica: true, notes: 1 }]);

    // The name of the follower leads to the other one as well, while the connections that are there are the follower's.
    const before = followers.accepted;
    followers.leadTo(ahead.url);
    const found = await Promise.all(Array.from({ length: 6 }, () => search(searches)));
    expect(followers.accepted).toBeGreaterThan(before);
    expect(found.flat()).toEqual(found.map((): unknown => expect.objectContaining({ notes: 1 })));
  } finally {
    await searches.onApplicationShutdown();
    await dataSource.destroy();
    await Promise.all([proxy.close(), followers.close()]);
    await servers.stop();
  }
}, 300_000);
