import { drawNation } from '../data/nation.js';
import type { Loaded } from '../service/bench-database.js';
import type { Service } from '../service/service.js';
import { auditCost } from './audit-cost.js';
import { edgeOfBudget } from './edge-of-budget.js';
import { latencies } from './latency.js';
import { memoryUnderLoad } from './memory-under-load.js';
import type { LoadFound } from './mixed-load.js';
import { drawMix, mixedLoad } from './mixed-load.js';
import { paging } from './paging.js';
import { pointLookUps } from './point-look-ups.js';
import { Draws, QUERY_KINDS } from './query-kinds.js';
import { walOfUpdates } from './wal-of-updates.js';
import { writes } from './writes.js';

interface Options {
  readonly loaded: Loaded;
  readonly runs: number;
  readonly seconds: number;
  readonly minutes: number;
  /** Which searches are drawn. */
  readonly draw: number;
  readonly tell: (line: string) => void;
}

export type Measurement = (service: Service, databaseUrl: string, options: Options) => Promise<unknown>;

const drawsOf = ({ loaded, draw }: Options): Draws =>
  new Draws(drawNation(loaded.seed), loaded.drawn, loaded.untilMs, draw);

const CALLERS = [1, 2, 4, 8];

/** What can be measured on a database that was filled, by name. */
export const MEASUREMENTS: Readonly<Record<string, Measurement>> = {
  latency: (service, _, options) =>
    latencies(service, drawsOf(options), { ...options, secondsOfAKind: options.seconds }),

  points: (service, databaseUrl, options) =>
    pointLookUps(service, databaseUrl, drawsOf(options), { seconds: options.seconds / 3, tell: options.tell }),

  mixed: async (service, _, options) => {
    const bodies = drawMix(drawsOf(options));
    const found: LoadFound[] = [];
    for (const callers of CALLERS) {
      const load = await mixedLoad(service, bodies, { callers, seconds: options.seconds });
      found.push(load);
      options.tell(`${callers} callers: ${load.searchesPerSecond.toFixed(0)}/s, p99 ${load.ms.p99.toFixed(0)} ms`);
    }
    return found;
  },

  audit: (service, databaseUrl, options) => {
    const draws = drawsOf(options);
    const lookUp = QUERY_KINDS.find(({ name }) => name.startsWith('01'));
    const lookUps = Array.from({ length: 1_000 }, () => ({ query: lookUp?.draw(draws) }));
    const kinds = [
      { searches: 'look-ups by tracking id', bodies: lookUps, count: 1_000 },
      { searches: 'the operational mix', bodies: drawMix(draws), count: 200 },
    ];
    return auditCost(service, databaseUrl, kinds, options.tell);
  },

  start: ({ started }) => Promise.resolve(started),

  edge: (service, _, options) => edgeOfBudget(service, drawsOf(options), options.tell),

  paging: (service, _, { tell }) => paging(service, tell),

  writes: (service, _, options) => writes(service, drawsOf(options), options.seconds),

  wal: (service, databaseUrl, options) => walOfUpdates(service, databaseUrl, drawsOf(options), options.tell),

  memory: (service, _, options) => memoryUnderLoad(service, drawMix(drawsOf(options)), options.minutes, options.tell),
};
