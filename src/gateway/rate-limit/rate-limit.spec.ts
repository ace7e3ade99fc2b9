import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

import { Secret } from '../../config/secret.js';
import { ClientRateLimit } from './client-rate-limit.js';
import { CountedFailedCredentials } from './counted-failed-credentials.js';
import { RedisConnection } from './redis-connection.js';

const PAIR = { clientIdHash: 'a', address: '10.0.0.1' };
const withoutRedis = new RedisConnection({ REDIS_URL: undefined });

afterEach(() => {
  jest.useRealTimers();
});

describe('CountedFailedCredentials', () => {
  it('blocks a pair after ten failures, for the rest of the minute, and no other pair', async () => {
    jest.useFakeTimers({ now: 0 });
    const limit = new CountedFailedCredentials(withoutRedis);
    for (let failure = 1; failure <= 9; failure += 1) await limit.countFailure(PAIR);
    const afterNine = await limit.isBlocked(PAIR);
    jest.advanceTimersByTime(20_000);
    await limit.countFailure(PAIR);
    expect([
      afterNine,
      await limit.isBlocked(PAIR),
      await limit.isBlocked({ ...PAIR, address: '10.0.0.2' }),
      await limit.isBlocked({ ...PAIR, clientIdHash: 'b' }),
    ]).toEqual([undefined, { retryAfterSeconds: 40 }, undefined, undefined]);
    jest.advanceTimersByTime(40_001);
    expect(await limit.isBlocked(PAIR)).toBeUndefined();
  });
});

describe('ClientRateLimit', () => {
  it('lets every client have its number of requests a minute, and then wait', async () => {
    jest.useFakeTimers({ now: 0 });
    const limit = new ClientRateLimit({ RATE_LIMIT_PER_MINUTE: 2 }, withoutRedis);
    await limit.take('a');
    await limit.take('a');
    await limit.take('b');
    await expect(limit.take('a')).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      message: 'Too many requests',
      headers: { 'retry-after': '60' },
    });
    jest.advanceTimersByTime(60_001);
    await expect(limit.take('a')).resolves.toBeUndefined();
  });

  it('counts nothing where there is no limit', async () => {
    const limit = new ClientRateLimit({ RATE_LIMIT_PER_MINUTE: 0 }, withoutRedis);
    await Promise.all(Array.from({ length: 1_000 }, () => limit.take('a')));
  });
});

describe('a Redis that is away', () => {
  it.each(['refuses connections', 'accepts and never answers'])(
    'that %s leaves the counting to memory',
    async (kind) => {
      const server = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as AddressInfo;
      if (kind === 'refuses connections') await new Promise((resolve) => server.close(resolve));
      const redis = new RedisConnection({ REDIS_URL: new Secret(`redis://127.0.0.1:${port}`) });
      try {
        const limit = new ClientRateLimit({ RATE_LIMIT_PER_MINUTE: 1 }, redis);
        await limit.take('a');
        await expect(limit.take('a')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
      } finally {
        redis.onApplicationShutdown();
        server.close();
      }
    },
  );
});
