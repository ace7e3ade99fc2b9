import { type ChildProcess, spawn } from 'node:child_process';
import { access, constants, open, readFile, realpath, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseServerError } from '../connection/database-server.js';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Without `postgres` and `nobody`. */
const NOBODY: Account = { uid: 65_534, gid: 65_534 };

/**
 * PostgreSQL refuses to run as root: for root, the owner of `cluster`, else `postgres`, else `nobody`; none is created.
 * Undefined: this process's own.
 */
export async function serverAccount(cluster: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(cluster).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = await readAccounts();
  return accounts.get('postgres') ?? accounts.get('nobody') ?? NOBODY;
}

async function readAccounts(): Promise<ReadonlyMap<string, Account>> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  return new Map(
    lines.flatMap((line): [string, Account][] => {
      const [name = '', , uid = '', gid = ''] = line.split(':');
      return /^\d+$/.test(uid) && /^\d+$/.test(gid) && uid !== '0'
        ? [[name, { uid: Number(uid), gid: Number(gid) }]]
        : [];
    }),
  );
}

/** Access to `path` and every directory above it. */
export async function canReach(path: string, account: Account | undefined): Promise<boolean> {
  if (account === undefined) {
    return access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
  }
  for (let place = await realpath(path); ; place = dirname(place)) {
    const { uid, gid, mode } = await stat(place);
    const execute = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & execute) === 0) return false;
    if (place === dirname(place)) return true;
  }
}

interface ProgramOptions {
  readonly pgdata: string;
  readonly spawn: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly uid?: number;
    readonly gid?: number;
  };
}

/**
 * Without our environment: PGPORT, LC_ALL and others would interfere.
 *
 * `account` may be unable to enter a parent directory (/root). The program starts in the data directory before it
 * changes its user, and on Linux may use `/proc/self/cwd`.
 */
export async function programOptions(dataDirectory: string, account: Account | undefined): Promise<ProgramOptions> {
  const viaWorkingDirectory = process.platform === 'linux' && !(await canReach(dataDirectory, account));
  return {
    pgdata: viaWorkingDirectory ? '/proc/self/cwd' : dataDirectory,
    spawn: { cwd: dataDirectory, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }, ...account },
  };
}

export interface Launch {
  readonly binaries: string;
  readonly dataDirectory: string;
  readonly account: Account | undefined;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly logFile: string;
}

const POLL_MS = 10;
/** After a crash, replay since the last checkpoint takes time. */
const READY_MS = 300_000;
const SHUTDOWN_MS = 20_000;
const LOG_LINES_SHOWN = 6;

export class ServerProcess {
  /** `exit code 1`, `SIGKILL`, or why it did not start. */
  readonly ended: Promise<string>;
  private hasEnded = false;

  private constructor(
    private readonly child: ChildProcess,
    private readonly launch: Launch,
  ) {
    this.ended = new Promise((resolve) => {
      const end = (how: string): void => {
        this.hasEnded = true;
        resolve(how);
      };
      child.once('exit', (code, signal) => {
        end(signal ?? `exit code ${code ?? 0}`);
      });
      child.once('error', (error) => {
        end(error.message);
      });
    });
  }

  /** Outside our process group: Ctrl-C must reach this process first, and only this one. */
  static async start(launch: Launch): Promise<ServerProcess> {
    const options = await programOptions(launch.dataDirectory, launch.account);
    // One file per run limits growth; a run may belong to another user.
    await rename(launch.logFile, `${launch.logFile}.previous`).catch(() => undefined);
    const log = await open(launch.logFile, 'wx', 0o600);
    try {
      const settings = Object.entries({ ...launch.settings, port: String(launch.port) });
      const child = spawn(
        join(launch.binaries, 'bin/postgres'),
        ['-D', options.pgdata, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
        { ...options.spawn, detached: true, stdio: ['ignore', log.fd, log.fd] },
      );
      child.unref();
      return new ServerProcess(child, launch);
    } finally {
      await log.close();
    }
  }

  /** Resolves when it accepts connections. Throws `DatabaseServerError` with its last messages if it ends before. */
  async ready(): Promise<void> {
    const deadline = performance.now() + READY_MS;
    while (!(await this.isReady())) {
      if (this.hasEnded) throw new DatabaseServerError(await this.failure(`ended (${await this.ended})`));
      if (performance.now() > deadline) throw new DatabaseServerError(await this.failure('does not become ready'));
      await sleep(POLL_MS);
    }
  }

  /** Ends sessions and stops, with a checkpoint if in time. */
  async stop(): Promise<void> {
    // From here on it keeps our process alive.
    this.child.ref();
    this.interrupt();
    const deadline = setTimeout(() => this.child.kill('SIGQUIT'), SHUTDOWN_MS);
    await this.ended;
    clearTimeout(deadline);
  }

  /** Asks it to stop, without waiting. */
  interrupt(): void {
    if (!this.hasEnded) this.child.kill('SIGINT');
  }

  private async isReady(): Promise<boolean> {
    const lines = (await readFile(join(this.launch.dataDirectory, 'postmaster.pid'), 'utf8').catch(() => '')).split(
      '\n',
    );
    return Number(lines[0]) === this.child.pid && lines[7]?.trim() === 'ready';
  }

  private async failure(what: string): Promise<string> {
    const messages = await readFile(this.launch.logFile, 'utf8').catch(() => '');
    const last = messages.trim().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
    return `The embedded database ${what}. Its last messages, from ${this.launch.logFile}:\n${last}`;
  }
}
