import { readdir, readFile } from 'node:fs/promises';

import { withClient } from '../service/bench-database.js';

/** `sysconf(_SC_CLK_TCK)` is 100 wherever Linux runs Node. */
const TICKS_PER_SECOND = 100;

interface Stat {
  readonly parent: string;
  /** Its own, and that of its children that have ended. */
  readonly ticks: number;
}

/**
 * Processor time that all processes of a PostgreSQL server of this machine have taken since it started, in seconds,
 * also those that have ended; NaN where there is no /proc that says.
 */
export const serverCpuSeconds = (url: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const postmaster = (await statOf(String(rows[0]?.pid)))?.parent;
    if (postmaster === undefined) return NaN;
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const stats = await Promise.all(pids.map(async (pid) => ({ pid, stat: await statOf(pid) })));
    return stats.reduce(
      (seconds, { pid, stat }) =>
        stat !== undefined && (pid === postmaster || stat.parent === postmaster)
          ? seconds + stat.ticks / TICKS_PER_SECOND
          : seconds,
      0,
    );
  });

async function statOf(pid: string): Promise<Stat | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The second field is a name in brackets, which may have spaces in it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { parent: fields[1] ?? '', ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) };
}
