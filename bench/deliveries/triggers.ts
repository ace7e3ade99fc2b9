import type { Spread } from '../measure/spread.js';
import { spreadOf } from '../measure/spread.js';
import { birth } from './birth.js';
import { FreshDatabase } from './fresh-database.js';
import { Service } from './service.js';
import { SubscriberProcess } from './subscriber-process.js';

export interface TriggersOptions {
  readonly serverUrl: string;
  readonly redisUrl: string | undefined;
  readonly dist: string;
  readonly senders: number;
  readonly seconds: number;
  readonly nodeOptions: readonly string[];
}

/** What came of triggers that were sent one after the other by each of several senders. */
export interface Triggers {
  readonly perSecond: number;
  /** Milliseconds until the answer. */
  readonly answerMs: Spread;
}

const IN_FLIGHT = 5;
const WARM_UP_SECONDS = 5;

/** Triggers of new events by as many senders as are asked for, while one subscriber is notified of each. */
export async function triggers(options: TriggersOptions): Promise<Triggers> {
  const subscriber = await SubscriberProcess.start();
  const database = await FreshDatabase.create(options.serverUrl);
  const service = await Service.start({
    ...options,
    databaseUrl: database.url,
    authority: subscriber.authority,
    inFlight: IN_FLIGHT,
  });
  try {
    await service.subscribe(await service.register(), subscriber.healthy(1));
    await send(service, 'W', options.senders, WARM_UP_SECONDS);
    const beganMs = performance.now();
    const answers = await send(service, 'T', options.senders, options.seconds);
    return {
      perSecond: (answers.length * 1_000) / (performance.now() - beganMs),
      answerMs: spreadOf(answers),
    };
  } finally {
    await service.stop();
    subscriber.stop();
    await database.drop();
  }
}

/** Yields how long each answer took. */
async function send(service: Service, run: string, senders: number, seconds: number): Promise<readonly number[]> {
  const untilMs = performance.now() + seconds * 1_000;
  const answers: number[] = [];
  let sent = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      const beganMs = performance.now();
      await service.trigger(birth(run, sent++));
      answers.push(performance.now() - beganMs);
    }
  };
  await Promise.all(Array.from({ length: senders }, one));
  return answers;
}
