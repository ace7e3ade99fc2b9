import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';

import { withClient } from '../service/bench-database.js';

/** Under what conditions something was measured. */
export interface About {
  readonly date: string;
  readonly command: string;
  readonly commit: string;
  readonly machine: string;
  readonly node: string;
  readonly postgres: string;
  /** Mean number of processes that wanted a core in the minute before it began, and in its last one. */
  readonly loadBefore: number;
  readonly loadAfter: number;
  readonly seconds: number;
}

const SETTINGS = ['shared_buffers', 'work_mem', 'synchronous_commit', 'fsync', 'max_wal_size', 'jit'];

/** Runs `work` and notes when, where, how long and beside what load. */
export async function measured<T>(databaseUrl: string | undefined, work: () => Promise<T>): Promise<[About, T]> {
  const began = new Date();
  const loadBefore = load();
  const result = await work();
  const about = {
    date: began.toISOString().slice(0, 16),
    command: `matricula bench ${process.argv.slice(2).map(withoutAddress).join(' ')}`,
    commit: git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', 'src') === '' ? '' : ' and changes'),
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB RAM, ${type()} ${release()}`,
    node: process.version,
    postgres: databaseUrl === undefined ? '' : await postgresOf(databaseUrl),
    loadBefore,
    loadAfter: load(),
    seconds: Math.round((Date.now() - began.getTime()) / 1_000),
  };
  return [about, result];
}

const load = (): number => Math.round((loadavg()[0] ?? 0) * 10) / 10;

const withoutAddress = (argument: string): string => argument.replace(/\bpostgres(ql)?:\/\/\S+/, '<url>');

function git(...arguments_: string[]): string {
  try {
    return execFileSync('git', arguments_, { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

const postgresOf = (url: string): Promise<string> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ version: string; settings: string }>(
      `select split_part(version(), ' on ', 1) as version,
              string_agg(name || ' ' || current_setting(name), ', ' order by name) as settings
         from pg_settings where name = any ($1)`,
      [SETTINGS],
    );
    return `${rows[0]?.version ?? ''} (${rows[0]?.settings ?? ''})`;
  });
