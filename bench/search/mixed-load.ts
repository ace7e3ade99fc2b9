import { setTimeout as sleep } from 'node:timers/promises';
import { Weighted } from '../../demo/prng.js';
import { type Spread, spreadOf } from '../measure/spread.js';
import type { Service } from '../service/service.js';
import { type Draws, QUERY_KINDS, type QueryKind } from './query-kinds.js';

export interface LoadFound {
  readonly callers: number;
  readonly searchesPerSecond: number;
  readonly ms: Spread;
  /** Answers with a status of 500 or more, and others that are not 200. */
  readonly serverErrors: number;
  readonly otherErrors: number;
  /** Megabytes of RAM of the service at its end. */
  readonly memory: number;
}

const WARM_UP_MS = 3_000;
/** So many are drawn beforehand: drawing a record takes longer than some searches. */
const DRAWN = 4_000;

const MIX = new Weighted<QueryKind>(
  QUERY_KINDS.flatMap((kind) => (kind.share === undefined ? [] : [[kind.share, kind] as const])),
);

/** Bodies of the operational mix: 30 % look-ups, 20 % work queues, 20 % names, 30 % of ten other kinds. */
export const drawMix = (draws: Draws, count = DRAWN): object[] =>
  Array.from({ length: count }, () => ({ query: MIX.draw(draws.prng).draw(draws) }));

/** How many searches of the mix are answered in a second with so many callers, each asking again at once. */
export async function mixedLoad(
  service: Service,
  bodies: readonly object[],
  { callers, seconds }: { callers: number; seconds: number },
): Promise<LoadFound> {
  const timesMs: number[] = [];
  let [next, serverErrors, otherErrors] = [0, 0, 0];
  let state: 'warming' | 'measuring' | 'done' = 'warming';
  const call = async (): Promise<void> => {
    while (state !== 'done') {
      const { status, ms } = await service.search(bodies[next++ % bodies.length] ?? {});
      if (state !== 'measuring') continue;
      timesMs.push(ms);
      if (status >= 500) serverErrors += 1;
      else if (status !== 200) otherErrors += 1;
    }
  };
  const calls = Promise.all(Array.from({ length: callers }, call));
  await sleep(WARM_UP_MS);
  state = 'measuring';
  const began = performance.now();
  await Promise.race([sleep(seconds * 1_000), calls]);
  const elapsed = (performance.now() - began) / 1_000;
  const searchesPerSecond = timesMs.length / elapsed;
  const ms = spreadOf(timesMs);
  state = 'done';
  await calls;
  return { callers, searchesPerSecond, ms, serverErrors, otherErrors, memory: Math.round(service.memory.now) };
}
