import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import type { RedisOptions } from 'ioredis';
import { Redis } from 'ioredis';

import { freePort } from './free-port.js';
import { freezeProcess } from './freeze-process.js';
import { endedWithFile } from './left-over.js';
import { HANG_MS } from './time-outs.js';

const PROGRAM = 'redis-server';
const PASSWORD = 'that nobody has';

/** The keys of a Redis, with their values as `DUMP` yields them. */
export type RedisSnapshot = readonly (readonly [key: string, value: Buffer])[];

/** A real Redis on loopback, which forgets everything when it ends. */
export interface RedisServer {
  readonly url: string;
  /** Removes every key. */
  flush(): Promise<unknown>;
  /** Refuses every write from here on: its memory is full. */
  fill(): Promise<unknown>;
  /** Accepts writes again. */
  relieve(): Promise<unknown>;
  /** Refuses every command from here on: it wants a password that nobody has. */
  refuse(): Promise<unknown>;
  /** Wants no password any more. */
  admit(): Promise<unknown>;
  /** Its connections, as `CLIENT LIST` shows them. */
  clients(): Promise<string>;
  /** Lets every connection stand without an answer. */
  freeze(): Promise<unknown>;
  /** Answers again. */
  thaw(): Promise<unknown>;
  /** Every key and value as text. */
  dump(): Promise<string>;
  /** Every key and value as they are now. */
  snapshot(): Promise<RedisSnapshot>;
  /** Has what it had at a snapshot, and nothing else; connections end, as when a replica that was behind takes over. */
  goBackTo(snapshot: RedisSnapshot): Promise<unknown>;
  /** Ends it without a farewell. */
  kill(): Promise<void>;
  /** Starts it again, empty, at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Whether there is a `redis-server` to start. Without one, suites that need it are skipped, but fail where `CI=true`.
 */
export function isRedisInstalled(): boolean {
  const installed = spawnSync(PROGRAM, ['--version']).status === 0;
  if (!installed && process.env.CI === 'true') throw new Error('redis-server is missing, and CI must have it');
  if (!installed) process.stderr.write('SKIPPED: there is no redis-server, so nothing is tested through Bull\n');
  return installed;
}

/** A certificate that a Redis shows, and how it is told from another's. */
interface Tls {
  readonly files: { readonly cert: string; readonly key: string };
  /** The authority's own certificate, PEM. */
  readonly authority: string;
}

/** With `tls` it speaks nothing else, as `localhost`. */
export async function startRedisServer(tls?: Tls): Promise<RedisServer> {
  const port = await freePort();
  const url = tls === undefined ? `redis://127.0.0.1:${port}` : `rediss://localhost:${port}`;
  const connection = tls === undefined ? {} : { tls: { ca: tls.authority } };
  let child = await start(url, tls, connection);
  const within = async <T>(work: (redis: Redis) => Promise<T>, more: RedisOptions = {}): Promise<T> => {
    const redis = new Redis(url, { ...connection, ...more });
    try {
      return await work(redis);
    } finally {
      redis.disconnect();
    }
  };
  const snapshot = (): Promise<RedisSnapshot> =>
    within(async (redis) => {
      const keys = await redis.keys('*');
      const values = await Promise.all(keys.map(async (key) => [key, await redis.dumpBuffer(key)] as const));
      // A key that went away meanwhile has no value.
      return values.filter((entry): entry is readonly [string, Buffer] => (entry[1] as Buffer | null) !== null);
    });
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
    refuse: () => within((redis) => redis.config('SET', 'requirepass', PASSWORD)),
    admit: () => within((redis) => redis.config('SET', 'requirepass', ''), { password: PASSWORD }),
    clients: async () => String(await within((redis) => redis.client('LIST'))),
    freeze: () => freezeProcess(child.pid ?? 0),
    thaw: () => Promise.resolve(child.kill('SIGCONT')),
    dump: async () => (await snapshot()).map(([key, value]) => `${key} ${value.toString()}`).join('\n'),
    snapshot,
    goBackTo: (to) =>
      within(async (redis) => {
        const restored = redis.multi().flushall();
        for (const [key, value] of to) restored.restore(key, 0, value);
        for (const [fault] of (await restored.exec()) ?? []) if (fault !== null) throw fault;
        await redis.client('KILL', 'TYPE', 'normal');
      }),
    kill: end,
    restart: async () => {
      child = await start(url, tls, connection);
    },
    stop,
  };
}

async function start(url: string, tls: Tls | undefined, connection: RedisOptions): Promise<ChildProcess> {
  const { port } = new URL(url);
  const speaking =
    tls === undefined
      ? ['--port', port]
      : ['--port', '0', '--tls-port', port, '--tls-auth-clients', 'no'].concat(
          ['--tls-cert-file', tls.files.cert, '--tls-key-file', tls.files.key],
          // It wants one of its own, and asks nobody for a certificate.
          ['--tls-ca-cert-file', tls.files.cert],
        );
  const options = [...speaking, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn(PROGRAM, [...options, '--maxmemory-policy', 'noeviction'], { stdio: 'ignore' });
  const redis = new Redis(url, { ...connection, retryStrategy: () => 20 });
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
