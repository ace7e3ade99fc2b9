import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { birth } from './birth.js';
import { cpuSecondsBetween, cpuTimesOf } from './cpu-time.js';
import type { Floor } from './floor.js';
import { floor } from './floor.js';
import type { Arrivals } from './subscriber.js';
import { FreshDatabase } from './fresh-database.js';
import { Service } from './service.js';
import { SubscriberProcess } from './subscriber-process.js';

export interface ThroughputOptions {
  readonly serverUrl: string;
  readonly redisUrl: string | undefined;
  readonly dist: string;
  readonly events: number;
  readonly inFlight: number;
  readonly nodeOptions: readonly string[];
}

export interface Throughput {
  readonly perSecond: number;
  /** Bare POSTs a second, before and after. */
  readonly floors: readonly [number, number];
  readonly ratio: number;
  /**
   * Microseconds of processor time that a delivery takes; NaN where the system does not say, or Postgres runs
   * elsewhere.
   */
  readonly cpu: {
    readonly service: number;
    readonly postgres: number;
    readonly subscriber: number;
    /** Of a bare POST: of its sender, and of the subscriber. */
    readonly floor: number;
    readonly floorSubscriber: number;
  };
  readonly bytes: number;
  /** Deliveries that did not come. */
  readonly lost: number;
  /** Deliveries that came more than once. */
  readonly twice: number;
  readonly tally: Readonly<Record<string, number>>;
}

const POLL_MS = 20;
const PATIENCE_MS = 120_000;
const BODY_BYTES = 2_048;
const WARM_UP = 5_000;

/**
 * Deliveries a second of events that wait for one subscriber, from the moment at which its client is active until the
 * last one is noted as delivered, beside what undici alone reaches in the same minute.
 */
export async function throughput(options: ThroughputOptions): Promise<Throughput> {
  const { events, inFlight } = options;
  const directory = await mkdtemp(join(tmpdir(), 'matricula-bench-'));
  const subscriber = await SubscriberProcess.start();
  const database = await FreshDatabase.create(options.serverUrl);
  const floorOf = (): Promise<Floor> => floor(subscriber, floorBody(), { inFlight, warmUp: WARM_UP, count: events });
  const service = await Service.start({
    ...options,
    databaseUrl: database.url,
    authority: subscriber.authority,
  });
  try {
    const client = await service.register();
    await service.subscribe(client, subscriber.healthy(1));
    // So that code is compiled and connections are open, as they are in a service that runs.
    await publish(service, directory, 'W', WARM_UP);
    await untilNothingWaits(database);
    await service.setActive(client, false);
    await publish(service, directory, 'T', events);
    await database.analyze();
    const before = await floorOf();
    await subscriber.take();

    const taken = async () => ({
      service: await cpuTimesOf([service.pid]),
      postgres: await cpuTimesOf(await database.serverPids()),
      subscriber: await cpuTimesOf([subscriber.pid]),
    });
    const cpuBefore = await taken();
    const beganMs = performance.now();
    await service.setActive(client, true);
    // The database is not asked before there is a reason: asking would cost it what it needs.
    const arrived = await untilArrived(subscriber, events);
    const tally = await untilNothingWaits(database);
    const seconds = (performance.now() - beganMs) / 1_000;
    const cpuAfter = await taken();
    const after = await floorOf();
    const perSecond = events / seconds;
    const microsecondsOf = (whose: keyof typeof cpuAfter): number =>
      (cpuSecondsBetween(cpuBefore[whose], cpuAfter[whose]) * 1e6) / events;
    return {
      perSecond,
      floors: [before.perSecond, after.perSecond],
      ratio: (2 * perSecond) / (before.perSecond + after.perSecond),
      cpu: {
        service: microsecondsOf('service'),
        postgres: microsecondsOf('postgres'),
        subscriber: microsecondsOf('subscriber'),
        floor: (before.cpu.sender + after.cpu.sender) / 2,
        floorSubscriber: (before.cpu.subscriber + after.cpu.subscriber) / 2,
      },
      bytes: Math.round(arrived.bytes / arrived.count),
      lost: events - arrived.different,
      twice: arrived.count - arrived.different,
      tally,
    };
  } finally {
    await service.stop();
    subscriber.stop();
    await database.drop();
    await rm(directory, { recursive: true });
  }
}

/** Publishes births that are registered, by an import. */
async function publish(service: Service, directory: string, run: string, count: number): Promise<void> {
  const file = join(directory, `${run}.ndjson`);
  await writeFile(file, Array.from({ length: count }, (_, at) => JSON.stringify(birth(run, at))).join('\n'));
  await service.import(file);
}

async function untilArrived(subscriber: SubscriberProcess, count: number): Promise<Arrivals> {
  const untilMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const arrived = (await subscriber.look())[new URL(subscriber.healthy(1)).pathname];
    if (arrived !== undefined && arrived.different >= count) return arrived;
    if (performance.now() > untilMs) throw new Error(`${arrived?.different ?? 0} of ${count} deliveries came`);
    await sleep(POLL_MS);
  }
}

async function untilNothingWaits(database: FreshDatabase): Promise<Readonly<Record<string, number>>> {
  const untilMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const tally = await database.tally();
    if (tally['pending'] === undefined) return tally;
    if (performance.now() > untilMs) throw new Error(`${tally['pending']} deliveries still wait`);
    await sleep(POLL_MS);
  }
}

/** As long as a notification, and with a time where the subscriber looks for one. */
function floorBody(): Buffer {
  const head = `{"payload":{"id":"floor","timestamp":"${new Date().toISOString()}"},"rest":"`;
  return Buffer.from(`${head.padEnd(BODY_BYTES - 2, 'x')}"}`);
}
