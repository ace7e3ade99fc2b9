import type { Service } from '../service/service.js';
import type { Spread } from '../measure/spread.js';
import { medianOf, percentileOf, spreadOf } from '../measure/spread.js';
import type { Draws, QueryKind } from './query-kinds.js';
import { QUERY_KINDS } from './query-kinds.js';
import { pageOf } from './page-of.js';

export interface KindFound {
  readonly kind: string;
  /** Records that match, in the median and at most. */
  readonly matches: number;
  readonly mostMatches: number;
  readonly ms: Spread;
  /** Each run: matches, milliseconds. */
  readonly points: readonly (readonly [matches: number, ms: number])[];
}

const WARM_UP_RUNS = 3;
const LEAST_RUNS = 10;

/**
 * How long each of the 22 kinds takes over HTTP, one at a time, page of 100 and exact total: `runs` draws of each after
 * a warm-up, fewer when they take longer than `secondsOfAKind` (10 at least).
 */
export async function latencies(
  service: Service,
  draws: Draws,
  { runs, secondsOfAKind, tell }: { runs: number; secondsOfAKind: number; tell: (line: string) => void },
): Promise<KindFound[]> {
  const found: KindFound[] = [];
  for (const kind of QUERY_KINDS) {
    for (let run = 0; run < WARM_UP_RUNS; run++) await one(service, draws, kind);
    const points: [number, number][] = [];
    const began = performance.now();
    while (points.length < LEAST_RUNS || (points.length < runs && performance.now() - began < secondsOfAKind * 1_000)) {
      points.push(await one(service, draws, kind));
    }
    const matches = points.map(([count]) => count);
    const times = points.map(([, ms]) => ms);
    const ms = spreadOf(times);
    const p98 = percentileOf(times, 0.98);
    const result = { kind: kind.name, matches: medianOf(matches), mostMatches: Math.max(...matches), ms, points };
    found.push(result);
    tell(
      `${kind.name}: ${result.matches} matches, p50 ${ms.p50.toFixed(1)} ms, ` +
        `p98 ${p98.toFixed(1)} (${(p98 / ms.p50).toFixed(1)} times), p99 ${ms.p99.toFixed(1)} ms`,
    );
  }
  return found;
}

async function one(service: Service, draws: Draws, { draw }: QueryKind): Promise<[number, number]> {
  const { ms, total } = pageOf(await service.search({ query: draw(draws) }));
  return [total, ms];
}
