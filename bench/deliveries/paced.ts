import { setTimeout as sleep } from 'node:timers/promises';

import { memoryOf } from '../service/memory-of.js';
import type { Spread } from '../measure/spread.js';
import { spreadOf } from '../measure/spread.js';
import { birth } from './birth.js';
import { FreshDatabase } from './fresh-database.js';
import { atPace } from './pace.js';
import { Service } from './service.js';
import { SubscriberProcess } from './subscriber-process.js';

export interface PacedOptions {
  readonly serverUrl: string;
  readonly redisUrl: string | undefined;
  readonly dist: string;
  readonly healthy: number;
  /** What each of them takes for an answer; nothing unless it is said. */
  readonly answerMs?: number;
  /** Whether one subscriber more hangs, and one more is dead. */
  readonly faulty: boolean;
  /** Deliveries a second to the healthy ones together. */
  readonly perSecond: number;
  readonly seconds: number;
  readonly nodeOptions: readonly string[];
}

/** What the healthy subscribers were sent. */
export interface Paced {
  readonly deliveries: number;
  readonly perSecond: number;
  /** Milliseconds from the transaction in which an event happened until its notification came. */
  readonly latencyMs: Spread;
  readonly lost: number;
  readonly twice: number;
  /** Megabytes that the service had in RAM, every ten seconds. */
  readonly memory: readonly number[];
  /** p95 of each half minute. */
  readonly p95Ms: readonly number[];
  readonly samples: readonly number[];
}

const SAMPLE_SECONDS = 10;
const WINDOW_SECONDS = 30;
const SETTLE_MS = 3_000;
const WARM_UP_SECONDS = 10;
const IN_FLIGHT = 5;

/** Events at an even pace, each sent to every subscription: how long healthy subscribers wait for them. */
export async function paced(options: PacedOptions): Promise<Paced> {
  const subscriber = await SubscriberProcess.start();
  const database = await FreshDatabase.create(options.serverUrl);
  const service = await Service.start({
    ...options,
    databaseUrl: database.url,
    authority: subscriber.authority,
    inFlight: IN_FLIGHT,
  });
  try {
    for (const callback of callbacksOf(subscriber, options))
      await service.subscribe(await service.register(), callback);
    await subscriber.die();
    const events = options.perSecond / options.healthy;
    await publish(service, 'W', events, WARM_UP_SECONDS);
    await sleep(SETTLE_MS);
    await subscriber.take();

    const memory: number[] = [];
    const windows: number[][] = [];
    const totals = { count: 0, different: 0 };
    const beganMs = performance.now();
    const publishing = publish(service, 'P', events, options.seconds);
    const note = async (): Promise<void> => {
      const taken = Object.entries(await subscriber.take()).filter(([path]) => path.startsWith('/hook/'));
      for (const [, { count, different }] of taken) {
        totals.count += count;
        totals.different += different;
      }
      windows.push(taken.flatMap(([, { latenciesMs }]) => latenciesMs));
    };
    for (let at = SAMPLE_SECONDS; at <= options.seconds; at += SAMPLE_SECONDS) {
      await sleep(beganMs + at * 1_000 - performance.now());
      memory.push(Math.round(memoryOf(service.pid)?.now ?? 0));
      if (at % WINDOW_SECONDS === 0) await note();
    }
    const published = await publishing;
    const seconds = (performance.now() - beganMs) / 1_000;
    await sleep(SETTLE_MS);
    await note();
    const samples = windows.flat();
    return {
      deliveries: totals.count,
      perSecond: totals.count / seconds,
      latencyMs: spreadOf(samples),
      lost: published * options.healthy - totals.different,
      twice: totals.count - totals.different,
      memory,
      p95Ms: windows.filter((window) => window.length > 100).map((window) => spreadOf(window).p95),
      samples,
    };
  } finally {
    await service.stop();
    subscriber.stop();
    await database.drop();
  }
}

const callbacksOf = (subscriber: SubscriberProcess, { healthy, answerMs, faulty }: PacedOptions): readonly string[] => [
  ...Array.from({ length: healthy }, (_, at) => subscriber.healthy(at, answerMs)),
  ...(faulty ? [subscriber.hanging, subscriber.mortal] : []),
];

/** Triggers events at an even pace, and yields how many. */
const publish = (service: Service, run: string, perSecond: number, seconds: number): Promise<number> =>
  atPace({ perSecond, seconds }, (at) => service.trigger(birth(run, at)));
