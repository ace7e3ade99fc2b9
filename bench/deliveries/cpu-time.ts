import { readFile } from 'node:fs/promises';

/** `sysconf(_SC_CLK_TCK)` is 100 wherever Linux runs Node. */
const TICKS_PER_SECOND = 100;

/**
 * Processor time that processes of this machine have taken so far, in seconds; NaN where there is no /proc that says.
 */
export async function cpuSeconds(pids: readonly number[]): Promise<number> {
  const taken = await Promise.all(pids.map(cpuSecondsOf));
  return taken.reduce((sum, seconds) => sum + seconds, 0);
}

/** The same, process by process, without those that have ended. */
export async function cpuTimesOf(pids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const taken = await Promise.all(pids.map(async (pid): Promise<[number, number]> => [pid, await cpuSecondsOf(pid)]));
  return new Map(taken.filter(([, seconds]) => !Number.isNaN(seconds)));
}

/** Seconds between two looks, of the processes of the second; NaN where nothing is known. */
export function cpuSecondsBetween(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  if (after.size === 0) return NaN;
  return [...after].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0);
}

async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is a name in brackets, which may have spaces in it.
  const [, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(user) + Number(system)) / TICKS_PER_SECOND;
}
