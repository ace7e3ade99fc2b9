import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { birth } from './birth.js';
import { floor } from './floor.js';
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
  readonly bytes: number;
  /** Deliveries that did not come. */
  readonly lost: number;
  /** Deliveries that came more than once. */
  readonly twice: number;
  readonly tally: Readonly<Record<string, number>>;
}

const POLL_MS = 250;
const PATIENCE_MS = 120_000;
const BODY_BYTES = 2_048;

/**
 * Deliveries a second of events that wait for one subscriber, from the moment at which its client is active until the
 * last one is noted as delivered, beside what undici alone reaches in the same minute.
 */
export async function throughput(options: ThroughputOptions): Promise<Throughput> {
  const { events, inFlight } = options;
  const directory = await mkdtemp(join(tmpdir(), 'matricula-bench-'));
  const subscriber = await SubscriberProcess.start();
  const database = await FreshDatabase.create(options.serverUrl);
  const floorOf = (): Promise<number> => floor(subscriber, floorBody(), { inFlight, count: events });
  const service = await Service.start({
    ...options,
    databaseUrl: database.url,
    authority: subscriber.authority,
  });
  try {
    const client = await service.register();
    await service.subscribe(client, subscriber.healthy(1));
    await warmUp(service, database);
    await service.setActive(client, false);
    const file = join(directory, 'births.ndjson');
    await writeFile(file, Array.from({ length: events }, (_, at) => JSON.stringify(birth('T', at))).join('\n'));
    await service.import(file);
    await database.analyze();
    const before = await floorOf();
    await subscriber.take();

    const beganMs = performance.now();
    await service.setActive(client, true);
    const tally = await untilNothingWaits(database);
    const seconds = (performance.now() - beganMs) / 1_000;
    const { [new URL(subscriber.healthy(1)).pathname]: arrived } = await subscriber.take();
    const after = await floorOf();
    const perSecond = events / seconds;
    return {
      perSecond,
      floors: [before, after],
      ratio: (2 * perSecond) / (before + after),
      bytes: Math.round((arrived?.bytes ?? 0) / (arrived?.count ?? 1)),
      lost: events - (arrived?.different ?? 0),
      twice: (arrived?.count ?? 0) - (arrived?.different ?? 0),
      tally,
    };
  } finally {
    await service.stop();
    subscriber.stop();
    await database.drop();
    await rm(directory, { recursive: true });
  }
}

/** So that code is compiled and connections are open, as they are in a service that runs. */
async function warmUp(service: Service, database: FreshDatabase): Promise<void> {
  for (let at = 0; at < 500; at += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, more) => service.trigger(birth('W', at + more))));
  }
  await untilNothingWaits(database);
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
