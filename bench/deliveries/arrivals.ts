import { setTimeout as sleep } from 'node:timers/promises';

import type { Spread } from '../measure/spread.js';
import { spreadOf } from '../measure/spread.js';
import { birth, keyOfBirth } from './birth.js';
import { cpuSecondsBetween, cpuTimesOf } from './cpu-time.js';
import { FreshDatabase } from './fresh-database.js';
import { atPace } from './pace.js';
import { pacedFloor } from './paced-floor.js';
import { Service } from './service.js';
import { sharedNowMs } from './shared-clock.js';
import { SubscriberProcess } from './subscriber-process.js';

export interface ArrivalsOptions {
  readonly serverUrl: string;
  readonly redisUrl: string | undefined;
  readonly dist: string;
  readonly subscriptions: number;
  /** Events. */
  readonly perSecond: number;
  readonly seconds: number;
  readonly nodeOptions: readonly string[];
}

/** What became of events that came at an even pace, each sent to every subscription. */
export interface ArrivalTimes {
  readonly events: number;
  readonly deliveries: number;
  /** Deliveries, from the first event to the last arrival. */
  readonly perSecond: number;
  /**
   * Milliseconds until a notification arrived, from when its trigger was sent, and from when the sender had the answer,
   * which follows the commit at once: below 0 where the notification was faster than the answer.
   */
  readonly fromRequestMs: Spread;
  readonly fromAnswerMs: Spread;
  /** Milliseconds from a bare POST at the same pace until it arrived, before and after. */
  readonly floorMs: readonly [Spread, Spread];
  /** Milliseconds of processor time that an event with all its deliveries takes. */
  readonly cpuMs: { readonly service: number; readonly postgres: number; readonly subscribers: number };
  readonly lost: number;
  readonly twice: number;
}

const SETTLE_MS = 3_000;
const WARM_UP_SECONDS = 5;
const FLOOR_SECONDS = 3;
const IN_FLIGHT = 5;

/** How soon notifications of events that come at an even pace arrive at subscribers that answer at once. */
export async function arrivalTimes(options: ArrivalsOptions): Promise<ArrivalTimes> {
  const subscriber = await SubscriberProcess.start();
  const database = await FreshDatabase.create(options.serverUrl);
  const target = { ...options, databaseUrl: database.url, authority: subscriber.authority, inFlight: IN_FLIGHT };
  const service = await Service.start(target);
  const floorOf = (): Promise<Spread> =>
    pacedFloor(subscriber, { perSecond: options.perSecond, seconds: FLOOR_SECONDS });
  try {
    const client = await service.register();
    for (let at = 0; at < options.subscriptions; at += 1) await service.subscribe(client, subscriber.healthy(at));
    await trigger(service, 'W', { ...options, seconds: WARM_UP_SECONDS });
    await sleep(SETTLE_MS);
    const before = await floorOf();
    await subscriber.take();

    const taken = async () => ({
      service: await cpuTimesOf([service.pid]),
      postgres: await cpuTimesOf(await database.serverPids()),
      subscribers: await cpuTimesOf([subscriber.pid]),
    });
    const cpuBefore = await taken();
    const beganMs = sharedNowMs();
    const sent = await trigger(service, 'P', options);
    await untilAllCame(subscriber, sent.size * options.subscriptions);
    const cpuAfter = await taken();
    const came = Object.values(await subscriber.take());
    const birthsOf = came.map((path) => path.births.filter(([key]) => sent.has(key)));
    const births = birthsOf.flat();
    const from = (which: 'sentMs' | 'answeredMs'): Spread =>
      spreadOf(births.map(([key, atMs]) => atMs - (sent.get(key)?.[which] ?? NaN)));
    const different = birthsOf.reduce((sum, one) => sum + new Set(one.map(([key]) => key)).size, 0);
    const cpuOf = (whose: keyof typeof cpuAfter): number =>
      (cpuSecondsBetween(cpuBefore[whose], cpuAfter[whose]) * 1_000) / sent.size;
    return {
      events: sent.size,
      deliveries: births.length,
      perSecond: (births.length * 1_000) / (births.reduce((last, [, atMs]) => Math.max(last, atMs), 0) - beganMs),
      fromRequestMs: from('sentMs'),
      fromAnswerMs: from('answeredMs'),
      floorMs: [before, await floorOf()],
      cpuMs: { service: cpuOf('service'), postgres: cpuOf('postgres'), subscribers: cpuOf('subscribers') },
      lost: sent.size * options.subscriptions - different,
      twice: births.length - different,
    };
  } finally {
    await service.stop();
    subscriber.stop();
    await database.drop();
  }
}

/** What is late by more than this is lost. */
const PATIENCE_MS = 20_000;

async function untilAllCame(subscriber: SubscriberProcess, count: number): Promise<void> {
  const untilMs = performance.now() + PATIENCE_MS;
  let came = 0;
  while (came < count && performance.now() < untilMs) {
    await sleep(SETTLE_MS / 3);
    came = Object.values(await subscriber.look()).reduce((sum, path) => sum + path.different, 0);
  }
}

interface Sent {
  readonly sentMs: number;
  readonly answeredMs: number;
}

/** Triggers events at an even pace; yields when each was sent and answered, by its key. */
async function trigger(
  service: Service,
  run: string,
  { perSecond, seconds }: Pick<ArrivalsOptions, 'perSecond' | 'seconds'>,
): Promise<ReadonlyMap<string, Sent>> {
  const sent = new Map<string, Sent>();
  await atPace({ perSecond, seconds }, async (at) => {
    const sentMs = sharedNowMs();
    await service.trigger(birth(run, at));
    sent.set(keyOfBirth(run, at), { sentMs, answeredMs: sharedNowMs() });
  });
  return sent;
}
