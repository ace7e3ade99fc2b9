/**
 * Hookdeck Outpost beside `bench/deliveries.ts arrivals`, with the same subscribers: `npx tsx bench/peers/outpost.ts
 * --help`. Its page is docs/performance-webhooks.md, "Peers", which says how to build and configure it.
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

const BODY_BYTES = 1_900;
const TENANT = 'bench';
const TOPIC = 'birth';
const PATIENCE_MS = 120_000;
const WARM_UP_SECONDS = 5;

const whole = (text: string): number => {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('a whole number is needed');
  return Number(text);
};

/** The API of a running Outpost. */
class Outpost {
  private readonly pool: Pool;

  constructor(
    url: string,
    private readonly key: string,
  ) {
    this.pool = new Pool(url, { connections: 64 });
  }

  async untilReady(): Promise<void> {
    for (const untilMs = performance.now() + 30_000; performance.now() < untilMs;) {
      const isReady = await this.ask('PUT', `/tenants/${TENANT}`).then(
        () => true,
        () => false,
      );
      if (isReady) return;
      await sleep(250);
    }
    throw new Error('it does not answer');
  }

  async subscribe(url: string): Promise<void> {
    await this.ask('POST', `/tenants/${TENANT}/destinations`, { type: 'webhook', topics: [TOPIC], config: { url } });
  }

  async publish(key: string): Promise<void> {
    const data = { key, rest: 'x'.repeat(BODY_BYTES) };
    await this.ask('POST', '/publish', { tenant_id: TENANT, topic: TOPIC, data });
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async ask(method: 'PUT' | 'POST', path: string, body?: object): Promise<void> {
    const answer = await this.pool.request({
      path: `/api/v1${path}`,
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${text}`);
  }
}

async function measure(options: Options, outpost: Outpost, subscriber: SubscriberProcess, pid: number) {
  await outpost.untilReady();
  await outpost.subscribe(subscriber.healthy(0));
  await atPace({ perSecond: options.perSecond, seconds: WARM_UP_SECONDS }, (at) =>
    outpost.publish(keyOfBirth('W', at)),
  );
  await untilCame(subscriber, options.perSecond * WARM_UP_SECONDS);
  const pace = { perSecond: options.perSecond, seconds: 3 };
  const before = await pacedFloor(subscriber, pace);
  await subscriber.take();

  const sent = new Map<string, { readonly sentMs: number; readonly answeredMs: number }>();
  const publish = async (key: string): Promise<void> => {
    const sentMs = sharedNowMs();
    await outpost.publish(key);
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
  return { paced, burst: await burst(options, outpost, subscriber, pids) };
}

/** Events as fast as several senders bring them in, and until the last one has arrived. */
async function burst(
  { burst: count, senders }: Options,
  outpost: Outpost,
  subscriber: SubscriberProcess,
  pids: readonly number[],
) {
  const cpuBefore = await cpuTimesOf(pids);
  const beganMs = performance.now();
  let next = 0;
  const send = async (): Promise<void> => {
    while (next < count) await outpost.publish(keyOfBirth('Q', next++));
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

async function run(options: Options): Promise<void> {
  const subscriber = await SubscriberProcess.start();
  const directory = await mkdtemp(join(tmpdir(), 'matricula-bench-'));
  const authority = join(directory, 'authority.pem');
  await writeFile(authority, subscriber.authority);
  const child = spawn(options.program, { env: { ...process.env, SSL_CERT_FILE: authority }, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const outpost = new Outpost(options.url, options.key);
  try {
    const [about, found] = await measured(undefined, () => measure(options, outpost, subscriber, child.pid ?? 0));
    console.log(JSON.stringify({ about, found }, undefined, 2));
  } finally {
    await outpost.close();
    subscriber.stop();
    child.kill('SIGTERM');
    await ended;
    await rm(directory, { recursive: true });
  }
}

await new Command('outpost')
  .description('starts Hookdeck Outpost with the environment of this command, and measures it by its API')
  .requiredOption('--program <file>', 'the built outpost-server')
  .option('--url <url>', 'where its API is (API_PORT)', 'http://127.0.0.1:3333')
  .option('--key <key>', 'API_KEY', process.env.API_KEY)
  .option('--pids <numbers>', 'other processes whose time counts', (text) => text.split(',').map(whole), [])
  .option('--per-second <number>', 'events', whole, 50)
  .option('--seconds <number>', 'for how long', whole, 20)
  .option('--burst <number>', 'events that several senders bring in as fast as they can', whole, 5_000)
  .option('--senders <number>', 'of the burst', whole, 16)
  .action((options: Options) => run(options))
  .parseAsync();
