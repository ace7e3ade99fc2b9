import { readFile } from 'node:fs/promises';

import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import { sql } from '../../src/kernel/sql/sql.js';

/** Linux counts the time of a process in hundredths of a second. */
const TICK_MS = 10;

/**
 * How long the processors work for `work`, in milliseconds: in this process, and in those that serve the connections of
 * the database. Other programs do not add to it, as they do to the time that passes, which is what it yields where the
 * kernel does not tell of the server's processes.
 */
export async function processorMsOf(database: Queryable, work: () => Promise<unknown>): Promise<number> {
  const [beganMs, own, serversBefore] = [performance.now(), process.cpuUsage(), await serversMs(database)];
  await work();
  const [tookMs, { user, system }, serversAfter] = [
    performance.now() - beganMs,
    process.cpuUsage(own),
    await serversMs(database),
  ];
  if (serversBefore === undefined || serversAfter === undefined) return tookMs;
  const ofServers = [...serversAfter].map(([pid, ms]) => ms - (serversBefore.get(pid) ?? 0));
  return (user + system) / 1_000 + ofServers.reduce((sum, ms) => sum + ms, 0);
}

/** By process id; undefined where it cannot be known. */
async function serversMs(database: Queryable): Promise<ReadonlyMap<number, number> | undefined> {
  const rows = await database.query<{ pid: number }>(
    sql`select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`,
  );
  try {
    return new Map(await Promise.all(rows.map(async ({ pid }) => [pid, await msOf(pid)] as const)));
  } catch {
    return undefined;
  }
}

async function msOf(pid: number): Promise<number> {
  const text = await statOf(pid);
  if (!text.includes('(postgres)')) throw new Error('it is another process');
  return usedMs(text);
}

/**
 * How long the processors have worked for a process so far, in milliseconds. Where the kernel does not tell, it yields
 * the time that has passed.
 */
export const processorMsSoFar = (pid: number): Promise<number> => statOf(pid).then(usedMs, () => performance.now());

const statOf = (pid: number): Promise<string> => readFile(`/proc/${pid}/stat`, 'utf8');

function usedMs(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
