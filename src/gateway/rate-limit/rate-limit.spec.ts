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

const WRONG = (): Promise<undefined> => Promise.resolve(undefined);
const RIGHT = (): Promise<string> => Promise.resolve('right');
const BLOCKED = 'Too many attempts with wrong credentials. Try again later.';
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
/** The outcomes of `count` simultaneous attempts: how many had each. */
async function burst(count: number, attempt: () => Promise<unknown>): Promise<Record<string, number>> {
  const outcomes = await Promise.all(
    Array.from({ length: count }, () => attempt().then((found) => String(found), messageOf)),
  );
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

describe('CountedFailedCredentials', () => {
  it('blocks a pair after ten failures, for the rest of the minute, and no other pair', async () => {
    jest.useFakeTimers({ now: 0 });
    const limit = new CountedFailedCredentials(withoutRedis);
    for (let failure = 1; failure <= 9; failure += 1) await limit.checked(PAIR, WRONG);
    jest.advanceTimersByTime(20_000);
    expect(await limit.checked(PAIR, RIGHT)).toBe('right');
    await limit.checked(PAIR, WRONG);
    await expect(limit.checked(PAIR, RIGHT)).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      message: BLOCKED,
      headers: { 'retry-after': '40' },
      refusal: 'failed-credentials',
    });
    expect([
      await limit.checked({ ...PAIR, address: '10.0.0.2' }, RIGHT),
      await limit.checked({ ...PAIR, clientIdHash: 'b' }, RIGHT),
    ]).toEqual(['right', 'right']);
    jest.advanceTimersByTime(40_001);
    expect(await limit.checked(PAIR, RIGHT)).toBe('right');
  });

  it('blocks a pair for a minute, whatever the clock of the machine does', async () => {
    jest.useFakeTimers({ now: 0 });
    const limit = new CountedFailedCredentials(withoutRedis);
    for (let failure = 1; failure <= 10; failure += 1) await limit.checked(PAIR, WRONG);
    jest.setSystemTime(3_600_000);
    await expect(limit.checked(PAIR, RIGHT)).rejects.toThrow(BLOCKED);
    jest.setSystemTime(-3_600_000);
    jest.advanceTimersByTime(60_001);
    expect(await limit.checked(PAIR, RIGHT)).toBe('right');
  });

  it('counts all addresses of an IPv6 network together', async () => {
    const limit = new CountedFailedCredentials(withoutRedis);
    const from = (address: string) => ({ ...PAIR, address });
    for (let host = 1; host <= 10; host += 1) await limit.checked(from(`2001:db8:1:2::${host}`), WRONG);
    await expect(limit.checked(from('2001:db8:1:2::ffff'), RIGHT)).rejects.toThrow(BLOCKED);
    expect(await limit.checked(from('2001:db8:1:3::1'), RIGHT)).toBe('right');
  });

  it('checks ten wrong secrets of a pair and no more, however many come at once', async () => {
    const limit = new CountedFailedCredentials(withoutRedis);
    let checks = 0;
    const counts = await burst(300, () =>
      limit.checked(PAIR, async () => {
        checks += 1;
        await new Promise(setImmediate);
        return undefined;
      }),
    );
    expect([checks, counts]).toEqual([10, { undefined: 10, [BLOCKED]: 290 }]);
  });

  it.each([
    [0, 10],
    [9, 1],
  ])('refuses none of 300 right ones at once after %i failures, and checks %i at a time', async (failures, atOnce) => {
    const limit = new CountedFailedCredentials(withoutRedis);
    for (let failure = 0; failure < failures; failure += 1) await limit.checked(PAIR, WRONG);
    let [running, most] = [0, 0];
    const counts = await burst(failures === 0 ? 300 : 30, () =>
      limit.checked(PAIR, async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
        return 'right';
      }),
    );
    expect([counts, most]).toEqual([{ right: failures === 0 ? 300 : 30 }, atOnce]);
  });

  it('counts no check that failed for another reason', async () => {
    const limit = new CountedFailedCredentials(withoutRedis);
    const counts = await burst(30, () => limit.checked(PAIR, () => Promise.reject(new Error('no database'))));
    expect([counts, await limit.checked(PAIR, RIGHT)]).toEqual([{ 'no database': 30 }, 'right']);
  });

  it('lets a thousand wait, for ten seconds at most', async () => {
    jest.useFakeTimers();
    const limit = new CountedFailedCredentials(withoutRedis);
    const all = burst(1_015, () => limit.checked(PAIR, () => new Promise<never>(jest.fn())));
    const hanging = burst(1, () => limit.checked({ ...PAIR, address: '10.0.0.2' }, RIGHT));
    expect(await hanging).toEqual({ right: 1 });
    await jest.advanceTimersByTimeAsync(9_000);
    const past = await burst(1, () => limit.checked(PAIR, RIGHT));
    expect(past).toEqual({ 'Too many attempts at once. Try again later.': 1 });
    await jest.advanceTimersByTimeAsync(2_000);
    // The waiting ones are gone, so another may begin; the ten hang as long as they do.
    const waits = burst(1, () => limit.checked(PAIR, RIGHT));
    await jest.advanceTimersByTimeAsync(10_001);
    expect(await waits).toEqual({ 'Too many attempts at once. Try again later.': 1 });
    void all;
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
