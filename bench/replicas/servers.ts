import { setTimeout as sleep } from 'node:timers/promises';

import { cpuSeconds } from '../deliveries/cpu-time.js';
import { withClient } from '../service/bench-database.js';
import type { Service } from '../service/service.js';

/** The processes of the server at `url`: those that work for connections, and those that copy and replay its log. */
export const processesOf = (url: string): Promise<readonly number[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      'select pid from pg_stat_activity where pid <> pg_backend_pid()',
    );
    return rows.map(({ pid }) => pid);
  });

/** What each server takes of the processor until the returned function is called, in seconds. */
export async function cpuOf(urls: readonly string[]): Promise<() => Promise<readonly number[]>> {
  const taken = (): Promise<readonly ReadonlyMap<number, number>[]> => Promise.all(urls.map(cpuOfServer));
  const before = await taken();
  // A process that ended meanwhile, as an idle one does, has taken nothing of note.
  return async () =>
    (await taken()).map((server, at) =>
      [...server].reduce((sum, [pid, seconds]) => sum + seconds - (before[at]?.get(pid) ?? 0), 0),
    );
}

async function cpuOfServer(url: string): Promise<ReadonlyMap<number, number>> {
  const pids = await processesOf(url);
  return new Map(await Promise.all(pids.map(async (pid) => [pid, (await cpuSeconds([pid])) || 0] as const)));
}

/** `host:port/database`, by which metrics name a replica. */
const placeOfUrl = (url: string): string => new URL(url).host + new URL(url).pathname;

/** The state in which the service holds the replica at `place`. */
const stateOf = (metrics: string, place: string): string | undefined =>
  [...metrics.matchAll(/^matricula_replica_state\{server="([^"]+)",state="(\w+)"\} 1$/gm)].find(
    ([, server]) => server === place,
  )?.[2];

/** How many reads each server has done, by its name in metrics. */
export const readsOf = (metrics: string): ReadonlyMap<string, number> =>
  new Map(
    [...metrics.matchAll(/^matricula_search_reads_total\{server="([^"]+)"\} (\d+)$/gm)].map(
      ([, server = '', reads]) => [server, Number(reads)] as const,
    ),
  );

const LOOK_EVERY_MS = 20;

export const isUp = (state: string | undefined): boolean => state === 'up';

/**
 * Looks at the metrics until the state of all the replicas is as wanted; yields the ms that took, NaN if it was not.
 */
export async function untilState(
  service: Service,
  urls: readonly string[],
  isWanted: (state: string | undefined) => boolean,
  mostMs = 60_000,
): Promise<number> {
  const beganMs = performance.now();
  while (performance.now() - beganMs < mostMs) {
    const metrics = await service.metrics();
    if (urls.every((url) => isWanted(stateOf(metrics, placeOfUrl(url))))) return performance.now() - beganMs;
    await sleep(LOOK_EVERY_MS);
  }
  return NaN;
}
