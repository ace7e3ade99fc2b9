import type { Nation } from '../data/nation.js';
import type { ImportFound } from '../load/load.js';
import { drawMix } from '../search/mixed-load.js';
import { Draws } from '../search/query-kinds.js';
import type { Loaded } from '../service/bench-database.js';
import { memoryOf } from '../service/memory-of.js';
import type { Target } from '../service/program.js';
import { Service } from '../service/service.js';
import type { Asked, Contenders, Name } from './contenders.js';
import { behindLayer, matricula, openSearch } from './contenders.js';
import { bitmapsWritten, onFilledServer } from './filled-server.js';
import type { IndexedFound } from './indexed.js';
import { diskMegabytes } from './indexed.js';
import type { Disagreement, KindCompared } from './kinds.js';
import { compareKinds } from './kinds.js';
import type { Layer } from './layer.js';
import { startLayer } from './layer.js';
import type { LoadCompared, LookUpsCompared } from './loads.js';
import { compareLoads, compareLookUps, warmUp } from './loads.js';
import { databaseMegabytes, postgresMemory, residentMegabytes } from './postgres-processes.js';
import type { OpenSearchServer } from './server.js';
import type { UntilFound } from './until-found.js';
import { compareUntilFound } from './until-found.js';

export interface ComparisonFound {
  readonly version: string;
  readonly heapMegabytes: number;
  readonly runs: number;
  readonly disagreements: readonly Disagreement[];
  readonly kinds: readonly KindCompared[];
  readonly mix: LoadCompared;
  readonly lookUps: readonly LookUpsCompared[];
  /** Absent when the database had been filled before. */
  readonly imported?: ImportFound;
  readonly indexed: IndexedFound;
  readonly diskMegabytes: { readonly matricula: number; readonly openSearch: number };
  /** After the loads, of all processes of each; the service and PostgreSQL apart. */
  readonly memory: Readonly<Record<Name, number>> & { readonly service: number };
  readonly untilFound: UntilFound;
}

export interface ComparisonOptions {
  readonly loaded: Loaded;
  readonly nation: Nation;
  readonly imported: ImportFound | undefined;
  readonly heapMegabytes: number;
  readonly runs: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly draw: number;
  readonly tell: (line: string) => void;
}

const MIX_CALLERS = 8;
const LOOK_UP_CALLERS = [1, 8, 16];
const WARM_UP_SECONDS = 10;

/** Matricula on the database of `target`, and an OpenSearch of its own with the same records, in one run by turns. */
export const compare = (target: Target, options: ComparisonOptions): Promise<ComparisonFound> =>
  onFilledServer(target, options, async (server, indexed) => {
    const layer = await startLayer(server.url);
    try {
      return { ...(await compareRunning(target, server, layer, options)), indexed };
    } finally {
      await layer.stop();
    }
  });

async function compareRunning(
  target: Target,
  server: OpenSearchServer,
  layer: Layer,
  { loaded, nation, imported, heapMegabytes, runs, seconds, rounds, draw, tell }: ComparisonOptions,
): Promise<Omit<ComparisonFound, 'indexed'>> {
  const { databaseUrl } = target;
  const service = await Service.start(target);
  try {
    await bitmapsWritten(databaseUrl);
    const contenders: Contenders = {
      matricula: matricula(service, databaseUrl),
      openSearch: openSearch(server),
      behindLayer: behindLayer(server, layer),
    };
    const draws = new Draws(nation, loaded.drawn, loaded.untilMs, draw);
    const disk = { matricula: await databaseMegabytes(databaseUrl), openSearch: await diskMegabytes(server) };
    tell('warming up');
    await warmUp(contenders, draws, WARM_UP_SECONDS);
    const { kinds, disagreements } = await compareKinds(contenders, draws, runs, tell);
    const mix = await compareLoads(contenders, drawMix(draws) as readonly Asked[], {
      callers: MIX_CALLERS,
      seconds,
      rounds,
    });
    tellLoad(tell, 'the mix', mix);
    const load = { databaseUrl, seconds: seconds / 2, rounds, callers: LOOK_UP_CALLERS };
    const lookUps = await compareLookUps(contenders, draws, load);
    for (const each of lookUps) tellLoad(tell, 'look-ups', each);
    const serviceMemory = residentMegabytes([service.pid]);
    const memory = {
      service: serviceMemory,
      matricula: serviceMemory + ((await postgresMemory(databaseUrl)) ?? NaN),
      openSearch: residentMegabytes([server.pid]),
      behindLayer: residentMegabytes([server.pid, layer.pid]),
    };
    const untilFound = await compareUntilFound(contenders, service, server, draws);
    const found = { kinds, disagreements, mix, lookUps, memory, untilFound, diskMegabytes: disk };
    return { version: server.version, heapMegabytes, runs, ...found, ...(imported !== undefined && { imported }) };
  } catch (error) {
    const pids = { Matricula: service.pid, OpenSearch: server.pid, 'the layer': layer.pid };
    const ended = Object.entries(pids).flatMap(([name, pid]) => (memoryOf(pid) === undefined ? [name] : []));
    if (ended.length > 0) tell(`no longer running: ${ended.join(', ')}`);
    throw error;
  } finally {
    await service.stop();
  }
}

const tellLoad = (tell: (line: string) => void, what: string, { callers, found }: LoadCompared): void => {
  const rates = Object.entries(found).map(([name, { perSecond }]) => `${name} ${perSecond.toFixed(0)}/s`);
  tell(`${what}, ${callers} callers: ${rates.join(', ')}`);
};
