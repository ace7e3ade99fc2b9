import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeKeptDirectory } from '../../config/kept-files.js';
import { messageOf } from '../../../kernel/errors/message-of.js';
import { awaitServer } from '../connection/await-server.js';
import { GuardedClient } from '../connection/guarded-client.js';
import { DatabaseServerError } from '../connection/database-server-error.js';
import type { DatabaseServer } from '../connection/database-server.js';
import { serverAccount } from './account.js';
import { claimDataDir, type DataDirClaim } from './claim.js';
import { type Cluster, clusterPath, openCluster, readCluster, SUPERUSER } from './cluster.js';
import { freePort, isFreePort } from './free-port.js';
import { stopOrphans } from './orphans.js';
import { type Binaries, packageBinaries } from './package-binaries.js';
import type { Launch } from './server-process.js';
import { serverSettings } from './server-settings.js';
import { Supervisor } from './supervisor.js';
import { usableBinaries } from './usable-binaries.js';

type Log = (line: string) => void;

const STARTING_SECONDS = 120;
const ATTACHING_SECONDS = 30;
const ATTEMPT_SECONDS = 1;
const PAUSE_MS = 100;
const PORT_ATTEMPTS = 3;

/**
 * Starts the server, or attaches to a living process's (P-2). It listens on 127.0.0.1 only. Throws
 * `DatabaseServerError`.
 */
export async function openEmbeddedServer(
  dataDir: string,
  log: Log,
  findBinaries: () => Promise<Binaries> = packageBinaries,
): Promise<DatabaseServer> {
  const directory = resolve(dataDir);
  try {
    makeKeptDirectory(directory);
    const deadline = performance.now() + ATTACHING_SECONDS * 1_000;
    for (;;) {
      const outcome = await claimDataDir(directory, STARTING_SECONDS);
      if (outcome.kind === 'claimed') return await startClaimed(directory, findBinaries, outcome.claim, log);
      try {
        return await attach(directory, outcome.port, log);
      } catch (error) {
        // Its owner may be stopping it: check the claim again.
        if (performance.now() > deadline) throw error;
        await sleep(PAUSE_MS);
      }
    }
  } catch (error) {
    if (error instanceof DatabaseServerError) throw error;
    const reason = messageOf(error);
    throw new DatabaseServerError(
      `The embedded database of ${directory} could not be started. Set another DATA_DIR, or set DATABASE_URL. The reason: ${reason}`,
      { cause: error },
    );
  }
}

/** The server continues after this process, and ends with its own. */
async function attach(dataDir: string, port: number, log: Log): Promise<DatabaseServer> {
  const { password } = await readCluster(dataDir);
  const url = addressOf(password, port, SUPERUSER);
  await awaitServer(url, ATTEMPT_SECONDS, log);
  return { url, embedded: true, fresh: false, close: () => Promise.resolve() };
}

async function startClaimed(
  dataDir: string,
  findBinaries: () => Promise<Binaries>,
  claim: DataDirClaim,
  log: Log,
): Promise<DatabaseServer> {
  try {
    return await start(dataDir, await findBinaries(), claim, log);
  } catch (error) {
    await claim.release();
    throw error;
  }
}

async function start(dataDir: string, binaries: Binaries, claim: DataDirClaim, log: Log): Promise<DatabaseServer> {
  const account = await serverAccount(clusterPath(dataDir));
  const directory = await usableBinaries(binaries, account, dataDir);
  const cluster = await openCluster(dataDir, directory, binaries.build.split('.', 1)[0] ?? '', account);
  if (await stopOrphans(cluster.dataDirectory))
    log('stopped the embedded database that an earlier process left running');
  const { supervisor, port } = await superviseOnFreePort(
    {
      binaries: directory,
      dataDirectory: cluster.dataDirectory,
      account,
      settings: serverSettings(availableMemory()),
      logFile: join(dataDir, 'postgres.log'),
    },
    log,
  );
  try {
    await makeDatabase(cluster, port);
    await claim.announce(port);
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
  return {
    url: addressOf(cluster.password, port, SUPERUSER),
    embedded: true,
    fresh: cluster.fresh,
    close: async () => {
      await claim.withdraw();
      await supervisor.stop();
      await claim.release();
    },
  };
}

/** A free port may be taken a moment later: then try another. */
async function superviseOnFreePort(
  launch: Omit<Launch, 'port'>,
  log: Log,
): Promise<{ readonly supervisor: Supervisor; readonly port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const supervisor = new Supervisor({ ...launch, port }, log);
    try {
      await supervisor.start();
      return { supervisor, port };
    } catch (error) {
      if (attempt === PORT_ATTEMPTS || (await isFreePort(port))) throw error;
    }
  }
}

async function makeDatabase({ password }: Cluster, port: number): Promise<void> {
  const client = new GuardedClient({ connectionString: addressOf(password, port, 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [SUPERUSER]);
    if (rowCount === 0) await client.query(`create database ${SUPERUSER}`);
  } finally {
    await client.end();
  }
}

const addressOf = (password: string, port: number, database: string): string =>
  `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;

function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
