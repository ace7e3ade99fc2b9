import type { RedisOptions } from 'ioredis';

import type { Secret } from '../../platform/config/secret.js';

const MOST_RECONNECT_MS = 2_000;
/**
 * A connection is probed after this long without traffic: one that only waits for jobs would otherwise never notice
 * that its server is gone.
 */
const KEEP_ALIVE_MS = 10_000;

/** The options in `REDIS_URL`, for Bull's connections. They connect in the background and retry. */
export function redisOptions(redisUrl: Secret): RedisOptions {
  const { protocol, hostname, port, username, password, pathname } = new URL(redisUrl.reveal());
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? 6_379 : Number(port),
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    db: Number(pathname.slice(1)) || 0,
    ...(protocol === 'rediss:' && { tls: {} }),
    keepAlive: KEEP_ALIVE_MS,
    retryStrategy: (attempt) => Math.min(attempt * 200, MOST_RECONNECT_MS),
  };
}
