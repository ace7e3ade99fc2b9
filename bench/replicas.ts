/**
 * What streaming replicas on this machine add to searches, what a lost one costs, and what writing takes of the primary
 * with and without them: `npx tsx bench/replicas.ts`. It makes its own servers from the embedded binaries, fills them
 * through the import, and removes them. Its results are in bench/HISTORY.md.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { startOfDayMs } from '../demo/day.js';
import { DAY_MS } from '../src/kernel/domain/calendar.js';
import { startReplicatedServer, type TestReplica } from '../test/support/replicated-server.js';
import { drawNation } from './data/nation.js';
import { load, settle } from './load/load.js';
import { forMs, rate } from './measure/rate.js';
import { measured } from './measure/about.js';
import { halted, type Loss, loss } from './replicas/loss.js';
import { byTurns } from './replicas/by-turns.js';
import { cpuOf, isUp, untilState } from './replicas/servers.js';
import { drawMix } from './search/mixed-load.js';
import { Draws } from './search/query-kinds.js';
import { drawEvent, tellOf } from './search/written-events.js';
import { readLoaded } from './service/bench-database.js';
import { Service } from './service/service.js';

interface Options {
  readonly dist: string;
  readonly records: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly callers: number;
  readonly writers: number;
}

const MOST = 2;
const WARM_UP_MS = 2_000;

const tell = (line: string): void => {
  console.log(line);
};

const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

async function measure({ dist, records, seconds, rounds, callers, writers }: Options): Promise<void> {
  // On a disk, so that writes wait for it as they do elsewhere.
  const server = await startReplicatedServer(MOST, (prefix) => mkdtemp(join(tmpdir(), prefix)));
  const urls = [server.primaryUrl, ...server.replicas.map(({ url }) => url)];
  const targetWith = (count: number) => ({
    dist,
    databaseUrl: server.primaryUrl,
    replicaUrls: urls.slice(1, 1 + count),
  });
  /** A service that reads from so many replicas. */
  const serviceWith = async (count: number): Promise<Service> => {
    const target = targetWith(count);
    const service = await Service.start(target);
    await untilState(service, target.replicaUrls, isUp);
    return service;
  };
  const during = async (count: number, work: (service: Service) => Promise<void>): Promise<void> => {
    const service = await serviceWith(count);
    await work(service).finally(() => service.stop());
  };
  try {
    const untilMs = startOfDayMs(Date.now()) + DAY_MS;
    await load(targetWith(0), { nation: drawNation(1), records, untilMs }, () => undefined);
    await settle(server.primaryUrl, () => undefined);
    const loaded = await readLoaded(server.primaryUrl);
    const draws = new Draws(drawNation(loaded.seed), loaded.drawn, loaded.untilMs, 1);
    const bodies = drawMix(draws, 1_000);

    const services = await Promise.all([0, 1, 2].map(serviceWith));
    for (const line of await byTurns(services, { urls, bodies, callers, rounds, seconds })) tell(line);
    for (const service of services) await service.stop();

    await during(MOST, async (service) => {
      const [first] = server.replicas;
      if (first === undefined) return;
      tell(saidOf(await loss(service, bodies, { ...{ url: first.url, how: 'killed' }, ...killing(first) })));
      tell(saidOf(await loss(service, bodies, { ...{ url: first.url, how: 'hung' }, ...halting(first) })));
    });

    const write = async (what: string): Promise<void> =>
      during(0, async (service) => {
        const register = async (): Promise<void> => {
          await tellOf(service, 'REGISTER', drawEvent(draws));
        };
        await rate(writers, forMs(WARM_UP_MS), register);
        const taken = await cpuOf(urls.slice(0, 1));
        const beganMs = performance.now();
        const found = await rate(writers, forMs(1_000 * seconds), register);
        const written = (found.perSecond * (performance.now() - beganMs)) / 1_000;
        const each = (1_000 * ((await taken())[0] ?? 0)) / written;
        tell(
          `${what}, ${writers} writers: ${found.perSecond}/s, p50 ${found.p50} ms, p99 ${found.p99}, ` +
            `${each.toFixed(2)} ms of the primary's processor each: ${(1_000 / each).toFixed(0)}/s a core`,
        );
      });
    await write('writing with two replicas');
    for (const replica of server.replicas) await replica.kill();
    await write('writing without replicas');
  } finally {
    await server.stop();
  }
}

const killing = (replica: TestReplica) => ({ lose: () => replica.kill(), bringBack: () => replica.start() });

function halting({ url }: TestReplica) {
  let goOn = (): void => undefined;
  return {
    lose: async () => {
      goOn = await halted(url);
    },
    bringBack: () => {
      goOn();
      return Promise.resolve();
    },
  };
}

const saidOf = ({ how, errors, leftOutMs, backMs, before, after }: Loss): string =>
  `one of two ${how}: errors ${errors}, left out after ${ms(leftOutMs)} ms, back after ${ms(backMs)}; ` +
  `p50/p99/most ${[before, after].map((times) => [times.p50, times.p99, times.most].map(ms).join('/')).join(' before, ')} after`;

const program = new Command('replicas')
  .option('--dist <directory>', 'the built program', join(dirname(fileURLToPath(import.meta.url)), '../dist/src'))
  .option('--records <number>', 'how many the servers are filled with', Number, 10_000)
  .option('--seconds <number>', 'of each load', Number, 2)
  .option('--rounds <number>', 'of searches with each number of replicas', Number, 8)
  .option('--callers <number>', 'how many search at a time', Number, 8)
  .option('--writers <number>', 'how many write at a time', Number, 16)
  .action(async (options: Options) => {
    const [about] = await measured(undefined, () => measure(options));
    tell(`${about.machine}, Node ${about.node}, commit ${about.commit}, load ${about.loadBefore} → ${about.loadAfter}`);
  });

await program.parseAsync();
