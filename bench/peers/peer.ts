/**
 * Another program that delivers webhooks, measured beside `bench/deliveries.ts arrivals` with the same subscribers. Its
 * page is bench/HISTORY.md, "Peers", which says how to build and configure each.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Command, InvalidArgumentError } from 'commander';
import { Pool } from 'undici';

import { keyOfBirth } from '../deliveries/birth.js';
import { cpuSecondsBetween, cpuTimesOf } from '../deliveries/cpu-time.js';
import { atPace } from '../deliveries/pace.js';
import { pacedFloor } from '../deliveries/paced-floor.js';
import { sharedNowMs } from '../deliveries/shared-clock.js';
import { SubscriberProcess } from '../deliveries/subscriber-process.js';
import { measured } from '../measure/about.js';
import { spreadOf } from '../measure/spread.js';

/** How a program is told of events. */
export interface Peer {
  /** The topic of `subscribe` exists from then on. */
  prepare(): Promise<void>;
  subscribe(url: string): Promise<void>;
  publish(event: PeerEvent): Promise<void>;
}

/** What a subscriber is sent, about as long as a notification of Matricula. */
export interface PeerEvent {
  readonly key: string;
  readonly rest: string;
}

/** Its API, asked as the holder of a key. */
export class PeerApi {
  private readonly pool: Pool;

  constructor(
    url: string,
    private readonly key: string,
  ) {
    this.pool = new Pool(url, { connections: 64 });
  }

  /** Throws what it answered unless that is a success. */
  async ask(method: 'PUT' | 'POST', path: string, body?: object): Promise<unknown> {
    const answer = await this.pool.request({
      path: `/api/v1${path}`,
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

interface Options {
  readonly program: string;
  readonly url: string;
  readonly key: string;
  readonly pids: readonly number[];
  readonly perSecond: number;
  readonly seconds: number;
  readonly burst: number;
  readonly senders: number;
}

interface Defaults {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  /** The variable of the environment that has the key. */
  readonly keyVariable: string;
}

const BODY_BYTES = 1_900;
const PATIENCE_MS = 120_000;
const WARM_UP_SECONDS = 5;

const whole = (text: string): number => {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('a whole number is needed');
  return Number(text);
};

/** The command that starts it and measures it by its API. */
export function peerCommand({ name, description, url, keyVariable }: Defaults, peerOf: (api: PeerApi) => Peer) {
  return new Command(name)
    .description(description)
    .requiredOption('--program <file>', 'the built program')
    .option('--url <url>', 'where its API is', url)
    .requiredOption('--key <key>', keyVariable, process.env[keyVariable])
    .option('--pids <numbers>', 'other processes whose time counts', (text) => text.split(',').map(whole), [])
    .option('--per-second <number>', 'events', whole, 50)
    .option('--seconds <number>', 'for how long', whole, 20)
    .option('--burst <number>', 'events that several senders bring in as fast as they can', whole, 5_000)
    .option('--senders <number>', 'of the burst', whole, 16)
    .action((options: Options) => run(options, peerOf));
}

const eventOf = (key: string): PeerEvent => ({ key, rest: 'x'.repeat(BODY_BYTES) });

async function untilReady(peer: Peer): Promise<void> {
  for (const untilMs = performance.now() + 30_000; performance.now() < untilMs;) {
    const isReady = await peer.prepare().then(
      () => true,
      () => false,
    );
    if (isReady) return;
    await sleep(250);
  }
  throw new Error('it does not answer');
}

async function measure(options: Options, peer: Peer, subscriber: SubscriberProcess, pid: number) {
  await untilReady(peer);
  await peer.subscribe(subscriber.healthy(0));
  await atPace({ perSecond: options.perSecond, seconds: WARM_UP_SECONDS }, (at) =>
    peer.publish(eventOf(keyOfBirth('W', at))),
  );
  await untilCame(subscriber, options.perSecond * WARM_UP_SECONDS);
  const pace = { perSecond: options.perSecond, seconds: 3 };
  const before = await pacedFloor(subscriber, pace);
  await subscriber.take();

  const sent = new Map<string, { readonly sentMs: number; readonly answeredMs: number }>();
  const publish = async (key: string): Promise<void> => {
    const sentMs = sharedNowMs();
    await peer.publish(eventOf(key));
    sent.set(key, { sentMs, answeredMs: sharedNowMs() });
  };
  const pids = [pid, ...options.pids];
  const cpuBefore = await cpuTimesOf(pids);
  await atPace(options, async (at) => {
    await publish(keyOfBirth('P', at));
  });
  await untilCame(subscriber, sent.size);
  const cpuAfter = await cpuTimesOf(pids);
  const births = Object.values(await subscriber.take()).flatMap((path) => path.births);
  const from = (which: 'sentMs' | 'answeredMs') =>
    spreadOf(births.filter(([key]) => sent.has(key)).map(([key, atMs]) => atMs - (sent.get(key)?.[which] ?? NaN)));
  const paced = {
    fromAnswerMs: from('answeredMs'),
    fromRequestMs: from('sentMs'),
    cpuMs: (cpuSecondsBetween(cpuBefore, cpuAfter) * 1_000) / sent.size,
    floorMs: [before, await pacedFloor(subscriber, pace)],
  };
  return { paced, burst: await burst(options, peer, subscriber, pids) };
}

/** Events as fast as several senders bring them in, and until the last one has arrived. */
async function burst(
  { burst: count, senders }: Options,
  peer: Peer,
  subscriber: SubscriberProcess,
  pids: readonly number[],
) {
  const cpuBefore = await cpuTimesOf(pids);
  const beganMs = performance.now();
  let next = 0;
  const send = async (): Promise<void> => {
    while (next < count) await peer.publish(eventOf(keyOfBirth('Q', next++)));
  };
  await Promise.all(Array.from({ length: senders }, send));
  const takenInMs = performance.now() - beganMs;
  await untilCame(subscriber, count);
  const arrivedMs = performance.now() - beganMs;
  return {
    takenInPerSecond: (count * 1_000) / takenInMs,
    arrivedPerSecond: (count * 1_000) / arrivedMs,
    cpuMs: (cpuSecondsBetween(cpuBefore, await cpuTimesOf(pids)) * 1_000) / count,
  };
}

async function untilCame(subscriber: SubscriberProcess, count: number): Promise<void> {
  for (const untilMs = performance.now() + PATIENCE_MS; performance.now() < untilMs;) {
    const came = Object.values(await subscriber.look()).reduce((sum, path) => sum + path.count, 0);
    if (came >= count) return;
    await sleep(50);
  }
  throw new Error('not all of them came');
}

async function run(options: Options, peerOf: (api: PeerApi) => Peer): Promise<void> {
  const subscriber = await SubscriberProcess.start();
  const directory = await mkdtemp(join(tmpdir(), 'matricula-bench-'));
  const authority = join(directory, 'authority.pem');
  await writeFile(authority, subscriber.authority);
  const child = spawn(options.program, { env: { ...process.env, SSL_CERT_FILE: authority }, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const api = new PeerApi(options.url, options.key);
  try {
    const [about, found] = await measured(undefined, () => measure(options, peerOf(api), subscriber, child.pid ?? 0));
    console.log(JSON.stringify({ about, found }, undefined, 2));
  } finally {
    await api.close();
    subscriber.stop();
    child.kill('SIGTERM');
    await ended;
    await rm(directory, { recursive: true });
  }
}
