import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { Redis } from 'ioredis';

import { endedWithFile } from './left-over.js';
import { HANG_MS } from './time-outs.js';

const PROGRAM = 'redis-server';

/** A real Redis on loopback, which forgets everything when it ends. */
export interface RedisServer {
  readonly url: string;
  /** Removes every key. */
  flush(): Promise<unknown>;
  /** Refuses every write from here on: its memory is full. */
  fill(): Promise<unknown>;
  /** Accepts writes again. */
  relieve(): Promise<unknown>;
  /** Lets every connection stand without an answer. */
  freeze(): Promise<unknown>;
  /** Answers again. */
  thaw(): Promise<unknown>;
  /** Every key and value as text. */
  dump(): Promise<string>;
  /** Ends it without a farewell. */
  kill(): Promise<void>;
  /** Starts it again, empty, at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Whether there is a `redis-server` to start. Without one, suites that need it are skipped, but fail where `CI=true`. */
export function isRedisInstalled(): boolean {
  const installed = spawnSync(PROGRAM, ['--version']).status === 0;
  if (!installed && process.env.CI === 'true') throw new Error('redis-server is missing, and CI must have it');
  if (!installed) process.stderr.write('SKIPPED: there is no redis-server, so nothing is tested through Bull\n');
  return installed;
}

export async function startRedisServer(): Promise<RedisServer> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child = await start(port);
  const within = async <T>(work: (redis: Redis) => Promise<T>): Promise<T> => {
    const redis = new Redis(url);
    try {
      return await work(redis);
    } finally {
      redis.disconnect();
    }
  };
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const stop = endedWithFile(end);
  return {
    url,
    flush: () => within((redis) => redis.flushall()),
    fill: () => within((redis) => redis.config('SET', 'maxmemory', '1')),
    relieve: () => within((redis) => redis.config('SET', 'maxmemory', '0')),
    freeze: () => Promise.resolve(child.kill('SIGSTOP')),
    thaw: () => Promise.resolve(child.kill('SIGCONT')),
    dump: () =>
      within(async (redis) => {
        const keys = await redis.keys('*');
        const values = await Promise.all(keys.map((key) => redis.dump(key)));
        return keys.map((key, at) => `${key} ${values[at] ?? ''}`).join('\n');
      }),
    kill: end,
    restart: async () => {
      child = await start(port);
    },
    stop,
  };
}

async function start(port: number): Promise<ChildProcess> {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn(PROGRAM, [...options, '--maxmemory-policy', 'noeviction'], { stdio: 'ignore' });
  const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 20 });
  redis.on('error', () => undefined);
  try {
    await Promise.race([
      redis.ping(),
      sleep(HANG_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('redis-server is not up'))),
    ]);
  } finally {
    redis.disconnect();
  }
  return child;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
