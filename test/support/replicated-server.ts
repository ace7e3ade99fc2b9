import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { DatabaseServer } from '../../src/platform/database/connection/database-server.js';
import { type Launch, serverAccount, ServerProcess } from '../../src/platform/database/embedded/server-process.js';
import { clusterPath } from '../../src/platform/database/embedded/cluster.js';
import {
  openEmbeddedServer,
  serverSettings,
  usableBinaries,
} from '../../src/platform/database/embedded/embedded-server.js';
import { stopOrphans } from '../../src/platform/database/embedded/claim.js';
import { packageBinaries } from '../../src/platform/database/embedded/binary-copy.js';
import { Database } from '../../src/platform/database/pools/database.js';
import { createDataSource } from '../../src/platform/database/schema/data-source.js';
import { MIB } from '../../src/kernel/domain/bytes.js';
import { freePort } from './free-port.js';
import { endedWithFile } from './left-over.js';
import { migrateAt } from './migrate-at.js';
import type { TestDatabase } from './postgres.js';
import { scratchDirectory } from './scratch-directory.js';

const MEMORY_BYTES = 512 * MIB;

/** A streaming replica that a test may kill and bring back, on the same port. */
export interface TestReplica {
  readonly url: string;
  /** Runs it, as a replica of the primary or of the server at `following`. */
  start(following?: string): Promise<void>;
  /** SIGKILL, for all of its processes; nothing where it does not run. */
  kill(): Promise<void>;
  /** Makes a primary of it, as it is. */
  promote(): Promise<void>;
}

/** A migrated primary with its streaming replicas, all from the embedded binaries. */
export interface ReplicatedServer {
  readonly primaryUrl: string;
  readonly replicas: readonly TestReplica[];
  /** Ends the primary for good. */
  stopPrimary(): Promise<void>;
  stop(): Promise<void>;
}

/** A replica begins as a copy of the data of the primary, which is stopped for as long as it is copied. */
export async function startReplicatedServer(count: number, newDirectory = scratchDirectory): Promise<ReplicatedServer> {
  const base = await newDirectory('matricula-replicas-');
  const directory = (name: string): string => join(base, name);
  const seed = await openEmbeddedServer(directory('primary'), () => undefined);
  await migrateAt(seed.url);
  await seed.close();
  const names = Array.from({ length: count }, (_, at) => `replica-${at + 1}`);
  for (const name of names) await copyOf(directory('primary'), directory(name));
  const primary = await openEmbeddedServer(directory('primary'), () => undefined);
  const replicas = await Promise.all(names.map((name) => replicaIn(directory(name), primary)));
  return {
    primaryUrl: primary.url,
    replicas,
    stopPrimary: () => primary.close(),
    stop: endedWithFile(async () => {
      await Promise.all(replicas.map((replica) => replica.kill()));
      await primary.close();
      await rm(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }),
  };
}

/** The primary's database, as tests of the service take it; dropping it closes the pool. */
export async function databaseOf({ primaryUrl: url }: ReplicatedServer): Promise<TestDatabase> {
  const dataSource = await createDataSource(url, 4).initialize();
  return { url, dataSource, database: new Database(dataSource), drop: () => dataSource.destroy() };
}

/** With owners and modes, which `fs.cp` does not keep. */
async function copyOf(primary: string, replica: string): Promise<void> {
  await mkdir(replica);
  await promisify(execFile)('cp', ['-a', clusterPath(primary), clusterPath(replica)]);
  await writeFile(join(clusterPath(replica), 'data/standby.signal'), '');
}

async function replicaIn(directory: string, primary: DatabaseServer): Promise<TestReplica> {
  const { username, password, pathname } = new URL(primary.url);
  const account = await serverAccount(clusterPath(directory));
  const launch: Launch = {
    binaries: await usableBinaries(await packageBinaries(), account, directory),
    dataDirectory: join(clusterPath(directory), 'data'),
    account,
    port: await freePort(),
    logFile: join(directory, 'postgres.log'),
    settings: {
      ...serverSettings(MEMORY_BYTES),
      // The first attempt may come a moment after the primary was away.
      wal_retrieve_retry_interval: '100ms',
      // What conflicts with what is replayed is cancelled at once.
      max_standby_streaming_delay: '0',
    },
  };
  const replica: TestReplica = {
    url: `postgres://${username}:${password}@127.0.0.1:${launch.port}${pathname}`,
    start: async (following = primary.url) => {
      await stopOrphans(launch.dataDirectory);
      const { port } = new URL(following);
      const primary_conninfo = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
      const settings = { ...launch.settings, primary_conninfo };
      await (await ServerProcess.start({ ...launch, settings })).ready();
    },
    kill: async () => {
      const pidFile = join(launch.dataDirectory, 'postmaster.pid');
      const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n', 1)[0]);
      if (pid > 0) process.kill(pid, 'SIGKILL');
      await stopOrphans(launch.dataDirectory);
    },
    promote: async () => {
      const client = new pg.Client({ connectionString: replica.url });
      await client.connect();
      await client.query('select pg_promote(true, 120)');
      await client.end();
    },
  };
  await replica.start();
  return replica;
}
