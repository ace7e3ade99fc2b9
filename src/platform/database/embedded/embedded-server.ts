import { once } from 'node:events';
import { chmod, lstat, mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MIB } from '../../../kernel/domain/bytes.js';
import { errorCode, messageOf } from '../../../kernel/errors/service-error.js';
import { makeKeptDirectory } from '../../config/kept-files.js';
import { awaitServer } from '../connection/await-server.js';
import { type DatabaseServer, DatabaseServerError } from '../connection/database-server.js';
import { GuardedClient } from '../connection/guarded-client.js';
import { type Account, canReach, type Launch, serverAccount } from './server-process.js';
import { type Binaries, copyBinaries, hasLibraryNames, packageBinaries } from './binary-copy.js';
import { claimDataDir, type DataDirClaim, stopOrphans } from './claim.js';
import { type Cluster, clusterPath, openCluster, readCluster, SUPERUSER } from './cluster.js';
import { Supervisor } from './supervisor.js';

/** On 127.0.0.1. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('A TCP server has no port');
  return address.port;
}

/**
 * For `memoryBytes` shared with other programs. Durability keeps PostgreSQL's defaults. The log contains neither
 * statements nor values, which would be personal data.
 */
export function serverSettings(memoryBytes: number): Readonly<Record<string, string>> {
  const memory = Math.floor(memoryBytes / MIB);
  const within = (least: number, value: number, most: number) =>
    `${Math.min(most, Math.max(least, Math.floor(value)))}MB`;
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: within(64, memory / 8, 1_024),
    effective_cache_size: within(128, memory / 2, 16_384),
    work_mem: within(4, memory / 512, 32),
    maintenance_work_mem: within(64, memory / 32, 512),
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    // Searches are short: compiling costs more than it saves.
    jit: 'off',
    TimeZone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
  };
}

/**
 * The package, or a copy if `account` cannot execute it. The package may be private (below /root), or lack libraries'
 * names (install scripts blocked) in read-only `node_modules`.
 */
export async function usableBinaries(
  binaries: Binaries,
  account: Account | undefined,
  dataDir: string,
): Promise<string> {
  const { directory } = binaries;
  if ((await hasLibraryNames(binaries)) && (await canReach(join(directory, 'bin'), account))) return directory;
  const tried: string[] = [];
  for (const base of copyPlaces(dataDir, account)) {
    const fault = await prepareBase(base, account);
    if (fault === undefined) return copyBinaries(binaries, base);
    tried.push(`${base} (${fault})`);
  }
  throw new DatabaseServerError(
    `The program files of the embedded PostgreSQL are in ${directory}, where the user that has to run them ` +
      `(id ${account?.uid ?? process.getuid?.() ?? 0}) cannot. They could not be copied either. Tried: ${tried.join(', ')}. ` +
      'Set DATA_DIR to a directory that every user may enter, or set DATABASE_URL.',
  );
}

/** The system's directory, if none of root's is accessible to another account. */
function copyPlaces(dataDir: string, account: Account | undefined): readonly string[] {
  const own = join(dataDir, 'postgres-binaries');
  return account === undefined ? [own] : [own, '/var/cache/matricula', join(tmpdir(), 'matricula-postgres')];
}

/**
 * Resolves with a reason if `base` is unusable. In /tmp others may have created it: it must belong to us or root,
 * writable by nobody else.
 */
async function prepareBase(base: string, account: Account | undefined): Promise<string | undefined> {
  if (!(await canReach(dirname(base), account).catch(() => false))) return 'lies where this user may not enter';
  try {
    await mkdir(base);
    await chmod(base, 0o755);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') return String(error);
  }
  const found = await lstat(base);
  if (!found.isDirectory()) return 'is not a directory';
  if (process.getuid !== undefined) {
    if (found.uid !== 0 && found.uid !== process.getuid()) return 'belongs to another user';
    if ((found.mode & 0o022) !== 0) return 'other users may write in it';
  }
  return (await canReach(base, account)) ? undefined : 'this user may not enter it';
}

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

/** A free port may be taken a moment later: then another is tried. */
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
      if (attempt === PORT_ATTEMPTS) throw error;
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
