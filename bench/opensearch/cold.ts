import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { Nation } from '../data/nation.js';
import { percentileOf } from '../measure/spread.js';
import { Draws, QUERY_KINDS } from '../search/query-kinds.js';
import type { Loaded } from '../service/bench-database.js';
import type { Target } from '../service/program.js';
import { Service } from '../service/service.js';
import type { Asked, Contender } from './contenders.js';
import { matricula, openSearch } from './contenders.js';
import { bitmapsWritten, onFilledServer } from './filled-server.js';
import { diskMegabytes } from './indexed.js';
import type { Times } from './kinds.js';
import { timesOf } from './kinds.js';
import { databaseMegabytes } from './postgres-processes.js';
import type { OpenSearchServer } from './server.js';

/** Both with what they need on a disk, and little of it in memory. */
export interface ColdFound {
  readonly version: string;
  readonly heapMegabytes: number;
  readonly runs: number;
  /** What had been done before: see `ColdOptions`. */
  readonly command: string;
  readonly diskMegabytes: Both<number>;
  readonly kinds: readonly ColdKind[];
  /** Searches for which the totals differ. */
  readonly differences: number;
}

interface ColdKind {
  readonly kind: string;
  /** Records that match, in the median and at most. */
  readonly matches: number;
  readonly mostMatches: number;
  readonly ms: Both<Times>;
}

interface Both<T> {
  readonly matricula: T;
  readonly openSearch: T;
}

export interface ColdOptions {
  readonly loaded: Loaded;
  readonly nation: Nation;
  readonly heapMegabytes: number;
  readonly runs: number;
  readonly draw: number;
  /**
   * Run by a shell once both are filled and nothing has been searched, with the process of OpenSearch in
   * `OPENSEARCH_PID`: it empties the caches and limits the memory, in the way of the machine.
   */
  readonly command: string;
  readonly tell: (line: string) => void;
}

const run = promisify(execFile);

/** How long each kind takes where nothing was searched before: one after the other, without a warm-up. */
export const compareCold = (target: Target, options: ColdOptions): Promise<ColdFound> =>
  onFilledServer(target, options, async (server) => {
    const service = await Service.start(target);
    try {
      await bitmapsWritten(target.databaseUrl);
      return await coldKinds(target, { service, server }, options);
    } finally {
      await service.stop();
    }
  });

async function coldKinds(
  { databaseUrl }: Target,
  { service, server }: { readonly service: Service; readonly server: OpenSearchServer },
  { loaded, nation, heapMegabytes, runs, draw, command, tell }: ColdOptions,
): Promise<ColdFound> {
  const both = { matricula: matricula(service, databaseUrl), openSearch: openSearch(server) };
  const disk = { matricula: await databaseMegabytes(databaseUrl), openSearch: await diskMegabytes(server) };
  const { stdout } = await run('bash', ['-c', command], {
    env: { ...process.env, OPENSEARCH_PID: String(server.pid) },
  });
  tell(`before the first search: ${stdout.trim()}`);
  const draws = new Draws(nation, loaded.drawn, loaded.untilMs, draw);
  const kinds: ColdKind[] = [];
  let differences = 0;
  for (const kind of QUERY_KINDS) {
    const times: { matricula: number[]; openSearch: number[] } = { matricula: [], openSearch: [] };
    const totals: number[] = [];
    for (let at = 0; at < runs; at++) {
      const asked: Asked = { query: kind.draw(draws) };
      const [here, there] = [await timed(both.matricula, asked), await timed(both.openSearch, asked)];
      times.matricula.push(here.ms);
      times.openSearch.push(there.ms);
      totals.push(here.total);
      if (here.total === there.total) continue;
      // A record may have come into a period between two questions: they are asked again.
      const [ours, theirs] = [await timed(both.matricula, asked), await timed(both.openSearch, asked)];
      if (ours.total === theirs.total) continue;
      differences += 1;
      tell(`${kind.name}: totals differ, ${ours.total} and ${theirs.total}, of ${JSON.stringify(asked.query)}`);
    }
    const ms = { matricula: timesOf(times.matricula), openSearch: timesOf(times.openSearch) };
    const [matches, mostMatches] = [percentileOf(totals, 0.5), percentileOf(totals, 1)];
    kinds.push({ kind: kind.name, matches, mostMatches, ms });
    tell(`${kind.name}: p50 ${ms.matricula.p50.toFixed(1)} ms, OpenSearch ${ms.openSearch.p50.toFixed(1)}`);
  }
  return { version: server.version, heapMegabytes, runs, command, diskMegabytes: disk, kinds, differences };
}

async function timed(
  { search, totalOf }: Contender,
  asked: Asked,
): Promise<{ readonly ms: number; readonly total: number }> {
  const { ms, body } = await search(asked);
  return { ms, total: totalOf(body) };
}
