import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../../kernel/errors/service-error.js';
import { DatabaseServerError } from '../connection/database-server.js';

/** Opaque text that distinguishes reused process numbers; undefined if there is no such process. */
export function processBeginning(pid: number): string | undefined {
  return process.platform === 'linux' ? beginningOnLinux(pid) : beginningElsewhere(pid);
}

function beginningOnLinux(pid: number): string | undefined {
  try {
    // The name in parentheses may contain anything; then come numbers: state first, start time 20th.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${fields[19] ?? ''}`;
  } catch {
    return undefined;
  }
}

function beginningElsewhere(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return undefined;
  }
  if (process.platform === 'win32') return 'running';
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() || undefined;
}

const SHUTDOWN_MS = 15_000;
const POLL_MS = 20;

/**
 * Stops a killed process's server; false if there was none. The caller holds the claim.
 *
 * It is not adopted: a child runs today's binaries and settings under a known account and log, and its end is noticed
 * at once. A clean stop takes under a second.
 */
export async function stopOrphans(dataDirectory: string): Promise<boolean> {
  const pidFile = join(dataDirectory, 'postmaster.pid');
  const parent = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n', 1)[0]);
  const orphans = await serverProcesses(dataDirectory, parent);
  if (orphans.includes(parent)) {
    signal(parent, 'SIGINT');
    await ended([parent]);
  }
  const left = await serverProcesses(dataDirectory, parent);
  // Orphans only wait to notice their parent's end. The WAL covers the abrupt stop.
  for (const pid of left) signal(pid, 'SIGKILL');
  await ended(left);
  // After a reboot its number may belong to any process, which PostgreSQL takes for a server.
  if (process.platform === 'linux') await rm(pidFile, { force: true });
  return orphans.length > 0;
}

/**
 * `parent`: from the pid file. On Linux a process's working directory is the data directory; elsewhere the command line
 * names it.
 */
async function serverProcesses(dataDirectory: string, parent: number): Promise<readonly number[]> {
  if (process.platform === 'win32') return [];
  if (process.platform !== 'linux') {
    if (!(parent > 0)) return [];
    const { stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(parent)], { encoding: 'utf8' });
    return stdout.includes(dataDirectory) ? [parent] : [];
  }
  const place = await stat(dataDirectory);
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const working = await stat(`/proc/${name}/cwd`);
      if (working.dev !== place.dev || working.ino !== place.ino) continue;
      if ((await readFile(`/proc/${name}/comm`, 'utf8')).trim() === 'postgres') found.push(Number(name));
    } catch {
      // It has ended, or belongs to another user and so is not ours.
    }
  }
  return found;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {}
}

async function ended(pids: readonly number[]): Promise<void> {
  const deadline = performance.now() + SHUTDOWN_MS;
  while (pids.some((pid) => processBeginning(pid) !== undefined) && performance.now() < deadline) await sleep(POLL_MS);
}

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly claim: DataDirClaim }
  | { readonly kind: 'taken'; readonly pid: number; readonly port: number };

/** One file per claim; without a port, the server is starting or stopping. */
interface ClaimFile {
  readonly pid: number;
  readonly beginning: string;
  readonly port?: number;
}

const FILE_NAME = /^postgres\.claim-\d+-[0-9a-f]+\.json$/;
const LOCK_POLL_MS = 50;

/**
 * Claims `dataDir`, or waits up to `patienceSeconds` for its claimant's server.
 *
 * Claimants write a file with a unique name, then give way to any living other. Two may both give way and retry, but
 * never both claim, since the later writer sees the earlier. Files of dead processes can always be removed.
 */
export async function claimDataDir(dataDir: string, patienceSeconds: number): Promise<ClaimOutcome> {
  const deadline = performance.now() + patienceSeconds * 1_000;
  let other = await livingClaim(dataDir, undefined);
  for (;;) {
    if (other === undefined) {
      const own = new DataDirClaim(dataDir);
      await own.write({});
      other = await livingClaim(dataDir, own.fileName);
      if (other === undefined) return { kind: 'claimed', claim: own };
      await own.release();
    } else if (other.port !== undefined) {
      return { kind: 'taken', pid: other.pid, port: other.port };
    }
    if (performance.now() > deadline) {
      throw new DatabaseServerError(
        `Process ${other.pid} is starting the embedded database of ${dataDir}, and was not done within ${patienceSeconds} seconds.`,
      );
    }
    await sleep(LOCK_POLL_MS * (1 + Math.random()));
    other = await livingClaim(dataDir, undefined);
  }
}

/** The right to run the server of one `DATA_DIR`, until `release()` or the end of the process. */
export class DataDirClaim {
  readonly fileName = `postgres.claim-${process.pid}-${randomBytes(8).toString('hex')}.json`;

  constructor(private readonly dataDir: string) {}

  announce(port: number): Promise<void> {
    return this.write({ port });
  }

  /** Call before stopping: newcomers then wait for the release. */
  withdraw(): Promise<void> {
    return this.write({});
  }

  release(): Promise<void> {
    return rm(join(this.dataDir, this.fileName), { force: true });
  }

  /** Atomic: no reader sees half a file. */
  async write(more: { readonly port?: number }): Promise<void> {
    const content: ClaimFile = { pid: process.pid, beginning: processBeginning(process.pid) ?? '', ...more };
    const path = join(this.dataDir, this.fileName);
    await writeFile(`${path}.new`, JSON.stringify(content), { mode: 0o644 });
    await rename(`${path}.new`, path);
  }
}

/** A living claim other than `except`; removes files of dead processes. */
async function livingClaim(dataDir: string, except: string | undefined): Promise<ClaimFile | undefined> {
  let found: ClaimFile | undefined;
  for (const name of await readdir(dataDir)) {
    if (!FILE_NAME.test(name) || name === except) continue;
    const path = join(dataDir, name);
    const claim = await readClaim(path);
    if (claim !== undefined && processBeginning(claim.pid) === claim.beginning) found ??= claim;
    else await rm(path, { force: true });
  }
  return found;
}

/** Undefined if released meanwhile, or lost in a power failure. */
async function readClaim(path: string): Promise<ClaimFile | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as ClaimFile;
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
