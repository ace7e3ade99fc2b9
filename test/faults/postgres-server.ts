import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

import pg from 'pg';

import { databaseAt } from '../support/database-at.js';
import { eventually } from '../support/eventually.js';

const START_MS = 120_000;

/**
 * A PostgreSQL of this run, durable as it ships, which can be killed and comes back at its address: the one that the
 * service embeds, run by a process of its own.
 */
export class PostgresServer {
  private constructor(
    private readonly owner: ChildProcessByStdio<Writable, Readable, Readable>,
    private readonly directory: string,
    private readonly url: string,
  ) {}

  /** In a directory of its own, unless it is given one. */
  static async start(given?: string): Promise<PostgresServer> {
    const directory = given ?? (await mkdtemp(join(tmpdir(), 'matricula-faults-')));
    const program = resolve('test/support/embedded-owner.ts');
    const owner = spawn(process.execPath, ['--import', 'tsx', program, directory], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // Ctrl-C must reach what uses it first.
      detached: true,
    });
    const messages = text(owner.stderr);
    for await (const url of createInterface(owner.stdout)) return new PostgresServer(owner, directory, url);
    throw new Error(`PostgreSQL did not start: ${await messages}`);
  }

  /** Runs a statement that is none of a database's own. */
  async administer(statement: string): Promise<void> {
    await this.query(this.url, statement);
  }

  /** An empty database; `where` is what else `create database` is told. */
  async createDatabase(name: string, where = ''): Promise<string> {
    await this.administer(`create database ${name} ${where}`);
    return databaseAt(this.url, name);
  }

  async dropDatabase(name: string): Promise<void> {
    await this.administer(`drop database if exists ${name} with (force)`);
  }

  async version(): Promise<string> {
    const [row] = await this.query<{ readonly server_version: string }>(this.url, 'show server_version');
    return row?.server_version ?? '';
  }

  /** Ends it, with SIGKILL as a crash does or with SIGINT as an administrator does, and waits until it is back. */
  async restart(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
    const pid = await this.postmaster();
    process.kill(pid, signal);
    await eventually(
      'PostgreSQL is back',
      async () => (await this.postmaster().catch(() => pid)) !== pid && (await this.isUp()),
      START_MS,
    );
  }

  async stop({ keepDirectory = false } = {}): Promise<void> {
    const ended = once(this.owner, 'exit');
    this.owner.stdin.end();
    await ended;
    if (!keepDirectory) await rm(this.directory, { recursive: true, force: true });
  }

  private async postmaster(): Promise<number> {
    const file = await readFile(join(this.directory, 'postgres/data/postmaster.pid'), 'utf8');
    const pid = Number(file.split('\n', 1)[0]);
    if (!Number.isInteger(pid) || pid < 2) throw new Error('the file of the postmaster names no process');
    return pid;
  }

  private isUp(): Promise<boolean> {
    return this.version().then(
      () => true,
      () => false,
    );
  }

  private async query<Row>(url: string, statement: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(statement)).rows as Row[];
    } finally {
      await client.end();
    }
  }
}
