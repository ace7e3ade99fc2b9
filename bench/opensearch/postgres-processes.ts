import { readFile } from 'node:fs/promises';

import { withClient } from '../service/bench-database.js';
import { memoryOf } from '../service/memory-of.js';

/** The processes that work for the database, and those of its server that work for all. */
export const postgresPids = (url: string): Promise<readonly number[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(`
      select pid from pg_stat_activity
       where pid <> pg_backend_pid() and (datname is null or datname = current_database())`);
    return rows.map(({ pid }) => pid);
  });

/**
 * Megabytes of RAM of PostgreSQL: what each process has for itself, and its share of what several have. Undefined where
 * it runs elsewhere, or this account may not see it.
 */
export async function postgresMemory(url: string): Promise<number | undefined> {
  const shares = await Promise.all((await postgresPids(url)).map(shareOf));
  const known = shares.filter((share) => share !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, share) => sum + share, 0);
}

async function shareOf(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const kilobytes = /^Pss:\s+(\d+)/m.exec(text)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024;
}

export const residentMegabytes = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + (memoryOf(pid)?.now ?? 0), 0);

export const databaseMegabytes = (url: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ megabytes: number }>(
      'select (pg_database_size(current_database()) / 1048576.0)::float8 as megabytes',
    );
    return rows[0]?.megabytes ?? 0;
  });
