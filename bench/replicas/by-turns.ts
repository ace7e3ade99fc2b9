import { cpuSeconds } from '../deliveries/cpu-time.js';
import { forMs, rate } from '../measure/rate.js';
import { medianOf } from '../measure/spread.js';
import type { Service } from '../service/service.js';
import { cpuOf, readsOf } from './servers.js';

interface Turns {
  /** Of the servers, the primary first. */
  readonly urls: readonly string[];
  readonly bodies: readonly object[];
  readonly callers: number;
  readonly rounds: number;
  readonly seconds: number;
}

/** What one service did in one round. */
interface Turn {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
  readonly reads: number;
  readonly readsByPrimary: number;
  /** Milliseconds of processor for each search: of the service, the primary, and each replica. */
  readonly cpu: readonly number[];
}

/** Searches by turns, so that other work on the machine slows all alike; a line for each service. */
export async function byTurns(services: readonly Service[], turns: Turns): Promise<readonly string[]> {
  const found = services.map((): Turn[] => []);
  for (let round = 0; round <= turns.rounds; round += 1) {
    for (const [at, service] of services.entries()) {
      const one = await turn(service, turns);
      // In the first round everything is cold.
      if (round > 0) found[at]?.push(one);
    }
  }
  return found.map((some, replicas) => {
    const median = (of: (one: Turn) => number): number => medianOf(some.map(of));
    const cpu = turns.urls
      .map((_, at) => at + 1)
      .reduce((all, at) => [...all, median((one) => one.cpu[at] ?? 0)], [median((one) => one.cpu[0] ?? 0)]);
    return (
      `${replicas} replicas, ${turns.callers} callers, medians of ${some.length}: ${median((one) => one.perSecond).toFixed(0)}/s, ` +
      `p50 ${median((one) => one.p50).toFixed(1)} ms, p99 ${median((one) => one.p99).toFixed(0)}, ` +
      `errors ${some.reduce((sum, { errors }) => sum + errors, 0)}, ` +
      `by the primary ${sumOf(some, 'readsByPrimary')} of ${sumOf(some, 'reads')} reads, ` +
      `processor of service, primary, replicas ${cpu.map((ms) => ms.toFixed(2)).join(' + ')} ms a search`
    );
  });
}

const sumOf = (some: readonly Turn[], key: 'reads' | 'readsByPrimary'): number =>
  some.reduce((sum, one) => sum + one[key], 0);

async function turn(service: Service, { urls, bodies, callers, seconds }: Turns): Promise<Turn> {
  let [next, errors, searches] = [0, 0, 0];
  const [readsBefore, serviceBefore] = [readsOf(await service.metrics()), await cpuSeconds([service.pid])];
  const taken = await cpuOf(urls);
  const found = await rate(callers, forMs(1_000 * seconds), async () => {
    const { status } = await service.search(bodies[next++ % bodies.length] ?? {});
    searches += 1;
    if (status !== 200) errors += 1;
  });
  const cpu = [(await cpuSeconds([service.pid])) - serviceBefore, ...(await taken())];
  const reads = [...readsOf(await service.metrics())].map(
    ([server, all]) => [server, all - (readsBefore.get(server) ?? 0)] as const,
  );
  return {
    ...found,
    errors,
    reads: reads.reduce((sum, [, number]) => sum + number, 0),
    readsByPrimary: reads.find(([server]) => server === 'primary')?.[1] ?? 0,
    cpu: cpu.map((each) => (1_000 * each) / searches),
  };
}
