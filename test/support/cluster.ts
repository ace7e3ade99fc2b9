import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, chmod, chown, cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import pg from 'pg';

import { freePort } from './free-port.js';

const run = promisify(execFile);

/** Values as the server writes them. */
const AS_TEXT: pg.CustomTypesConfig = { getTypeParser: () => (value: string) => value };

/** Who runs PostgreSQL, which refuses to be run by root. */
interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL as an operator has it: with the programs that belong to it, which make and restore backups. */
export class Cluster {
  private constructor(
    private readonly programs: string,
    private readonly account: Account | undefined,
    readonly directory: string,
    readonly port: number,
  ) {}

  /** A new server under `base`, which keeps its log of changes in `base/archive`. */
  static async create(programs: string, base: string): Promise<Cluster> {
    const account = process.getuid?.() === 0 ? await accountOf('postgres') : undefined;
    const archive = join(base, 'archive');
    await mkdir(archive);
    if (account !== undefined) for (const path of [base, archive]) await chown(path, account.uid, account.gid);
    const cluster = new Cluster(programs, account, join(base, 'data'), await freePort());
    await cluster.program('initdb', '-D', cluster.directory, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N');
    await cluster.configure(`archive_mode = on\narchive_command = 'cp %p ${archive}/%f'`);
    return cluster;
  }

  /** The server that a base backup of this one makes, in `directory`, as it was at `time`. Not started yet. */
  async restored(directory: string, archive: string, time: string): Promise<Cluster> {
    const restored = new Cluster(this.programs, this.account, directory, this.port);
    await restored.configure(
      `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${time}'\nrecovery_target_action = 'promote'`,
    );
    await writeFile(join(directory, 'recovery.signal'), '');
    return restored;
  }

  url(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  async start(): Promise<void> {
    const options = `-p ${this.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off`;
    const child = spawn(
      join(this.programs, 'pg_ctl'),
      ['-D', this.directory, '-w', '-t', '60', '-l', join(this.directory, 'log'), '-o', options, 'start'],
      { ...this.account, stdio: 'ignore' },
    );
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`PostgreSQL did not start: see ${this.directory}/log`);
  }

  async stop(): Promise<void> {
    await this.program('pg_ctl', '-D', this.directory, '-m', 'fast', '-w', 'stop').catch(() => undefined);
  }

  /** Runs one of the programs of PostgreSQL; yields what it says. */
  async program(name: string, ...arguments_: readonly string[]): Promise<string> {
    const { stdout } = await run(join(this.programs, name), arguments_, { ...this.account, cwd: '/' });
    return stdout.trim();
  }

  /** Whether that program came with it: the embedded binaries have those alone that a server needs. */
  has(program: string): boolean {
    return existsSync(join(this.programs, program));
  }

  /** Runs `work` with a statement after the other on one connection; each yields one value, as text. */
  async connected<T>(
    database: string,
    work: (query: (statement: string) => Promise<string>) => Promise<T>,
  ): Promise<T> {
    const client = new pg.Client({ connectionString: this.url(database), types: AS_TEXT });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(async (statement) => {
        const { rows } = await client.query<(string | null)[]>({ text: statement, rowMode: 'array' });
        return rows[0]?.[0] ?? '';
      });
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** The one value that a statement yields. */
  query(database: string, statement: string): Promise<string> {
    return this.connected(database, (query) => query(statement));
  }

  /**
   * A base backup in `directory`, while it runs: by `pg_basebackup`, or by copying the files as PostgreSQL's manual has
   * it.
   */
  async backUp(directory: string): Promise<'pg_basebackup' | 'a copy of the files'> {
    if (this.has('pg_basebackup')) {
      await this.program('pg_basebackup', '-d', this.url('postgres'), '-D', directory, '-c', 'fast');
      return 'pg_basebackup';
    }
    await this.connected('postgres', async (query) => {
      await query(`select pg_backup_start('matricula', true)`);
      const isLeftOut = (path: string): boolean =>
        path.startsWith(`${join(this.directory, 'pg_wal')}/`) || path.endsWith('/postmaster.pid');
      await cp(this.directory, directory, { recursive: true, filter: (path) => !isLeftOut(path) });
      // The log that was written meanwhile is in the archive when this returns.
      const label = await query('select labelfile from pg_backup_stop(true)');
      await writeFile(join(directory, 'backup_label'), label);
    });
    const { account } = this;
    if (account !== undefined) await run('chown', ['-R', `${account.uid}:${account.gid}`, directory]);
    await chmod(directory, 0o700);
    return 'a copy of the files';
  }

  private configure(lines: string): Promise<void> {
    return appendFile(join(this.directory, 'postgresql.auto.conf'), `${lines}\n`);
  }
}

async function accountOf(name: string): Promise<Account> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (what) => Number((await run('id', [what, name])).stdout)),
  );
  if (uid === undefined || gid === undefined) throw new Error(`there is no account ${name}`);
  return { uid, gid };
}
