import { setTimeout as sleep } from 'node:timers/promises';

import { percentileOf } from '../measure/spread.js';
import type { Service } from '../service/service.js';
import { isUp, processesOf, untilState } from './servers.js';

/** What searches met when one of the replicas was lost. */
export interface Loss {
  readonly how: 'killed' | 'hung';
  /** Answers that were not 200. */
  readonly errors: number;
  /** Milliseconds from the loss until the service left it out, and from its return until it was read again. */
  readonly leftOutMs: number;
  readonly backMs: number;
  /** In ms, of the searches that began in the three seconds before, and in the three seconds after. */
  readonly before: Times;
  readonly after: Times;
}

interface Times {
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

interface Lost {
  readonly url: string;
  readonly how: Loss['how'];
  readonly lose: () => Promise<void>;
  readonly bringBack: () => Promise<void>;
}

const WINDOW_MS = 3_000;
const CALLERS = 4;

/** Searches go on while the replica goes and comes back. */
export async function loss(service: Service, bodies: readonly object[], { url, how, lose, bringBack }: Lost) {
  const asked: { readonly atMs: number; readonly ms: number; readonly status: number }[] = [];
  let [isOver, next] = [false, 0];
  const caller = async (): Promise<void> => {
    while (!isOver) {
      const atMs = performance.now();
      const { ms, status } = await service.search(bodies[next++ % bodies.length] ?? {});
      asked.push({ atMs, ms, status });
    }
  };
  const callers = Promise.all(Array.from({ length: CALLERS }, caller));
  // The first ones find caches cold.
  await sleep(2 * WINDOW_MS);
  const lostMs = performance.now();
  const [leftOutMs] = await Promise.all([untilLeftOut(service, url), lose()]);
  await sleep(Math.max(0, lostMs + WINDOW_MS - performance.now()));
  await bringBack();
  const backMs = await untilState(service, [url], isUp);
  isOver = true;
  await callers;
  const timesOf = (fromMs: number): Times => {
    const times = asked.filter(({ atMs }) => atMs >= fromMs && atMs < fromMs + WINDOW_MS).map(({ ms }) => ms);
    return { p50: percentileOf(times, 0.5), p99: percentileOf(times, 0.99), most: percentileOf(times, 1) };
  };
  const errors = asked.filter(({ atMs, status }) => atMs >= lostMs - WINDOW_MS && status !== 200).length;
  return { how, errors, leftOutMs, backMs, before: timesOf(lostMs - WINDOW_MS), after: timesOf(lostMs) } satisfies Loss;
}

const untilLeftOut = (service: Service, url: string): Promise<number> =>
  untilState(service, [url], (state) => state !== 'up', 20_000);

/** Halts all processes of the server for as long as `until` is not called: what is asked of it is never answered. */
export async function halted(url: string): Promise<() => void> {
  const pids = await processesOf(url);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  };
}
