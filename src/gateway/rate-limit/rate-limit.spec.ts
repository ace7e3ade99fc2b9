import { type AddressInfo, createServer } from 'node:net';
import { WrongSoFar } from '../../auth/secrets/failed-credential-limit.js';
import { Secret } from '../../platform/config/secret.js';
import { ClientRateLimit, CountedFailedCredentials } from './rate-limits.js';
import { RedisConnection } from './redis-connection.js';

const PAIR = { clientIdHash: 'a', address: '10.0.0.1' };
const withoutRedis = new RedisConnection({ REDIS_URL: undefined });

afterEach(() => {
  jest.useRealTimers();
});

const WRONG = (): Promise<undefined> => Promise.resolve(undefined);
const RIGHT = (): Promise<string> => Promise.resolve('right');
const BLOCKED = 'Too many attempts with wrong credentials. Try again later.';
/** A check that ends when it is told to, and with which result. */
function heldCheck() {
  let end: (found: string | undefined) => void = jest.fn();
  const found = new Promise<string | undefined>((resolve) => (end = resolve));
  return { check: () => found, end };
}

const BUSY = 'Too many attempts at once. Try again later.';
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

  it('counts all addresses of an IPv6 network together', async () => {
    const limit = new CountedFailedCredentials(withoutRedis);
    const from = (address: string) => ({ ...PAIR, address });
    for (let host = 1; host <= 10; host += 1) await limit.checked(from(`2001:db8:1:2::${host}`), WRONG);
    await expect(limit.checked(from('2001:db8:1:2::ffff'), RIGHT)).rejects.toThrow(BLOCKED);
    expect(await limit.checked(from('2001:db8:1:3::1'), RIGHT)).toBe('right');
  });

  it('answers ten wrong secrets of a pair that come at once, and checks no eleventh', async () => {
    const limit = new CountedFailedCredentials(withoutRedis);
    let checks = 0;
    const wrong = (): Promise<undefined> => {
      checks += 1;
      return new Promise((resolve) => setImmediate(resolve, undefined));
    };
    expect(await burst(300, () => limit.checked(PAIR, wrong))).toEqual({ undefined: 10, [BUSY]: 290 });
    expect([await burst(300, () => limit.checked(PAIR, wrong)), checks]).toEqual([{ [BLOCKED]: 300 }, 10]);
  });

  it('checks ten at a time of a pair, and asks for one more a second later without counting it', async () => {
    const limit = new CountedFailedCredentials(withoutRedis);
    for (let failure = 1; failure <= 9; failure += 1) await limit.checked(PAIR, WRONG);
    const held = heldCheck();
    const ten = burst(10, () => limit.checked(PAIR, held.check));
    await expect(limit.checked(PAIR, RIGHT)).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      message: BUSY,
      headers: { 'retry-after': '1' },
      refusal: 'credentials-waiting',
    });
    expect(await limit.checked({ ...PAIR, address: '10.0.0.2' }, RIGHT)).toBe('right');
    held.end('right');
    expect([await ten, await limit.checked(PAIR, RIGHT)]).toEqual([{ right: 10 }, 'right']);
  });

  it('answers none that ends after the tenth failure, nor says whether its secret was right', async () => {
    const limit = new CountedFailedCredentials(withoutRedis);
    for (let failure = 1; failure <= 9; failure += 1) await limit.checked(PAIR, WRONG);
    const checks = Array.from({ length: 3 }, heldCheck);
    const late = heldCheck();
    const unknown = (): Promise<never> => late.check().then(() => Promise.reject(new WrongSoFar(new Error('down'))));
    const found = [...checks.map(({ check }) => check), unknown].map((check) =>
      limit.checked(PAIR, check).then(String, messageOf),
    );
    await new Promise(setImmediate);
    checks[0]?.end('right');
    checks[1]?.end(undefined);
    await Promise.all(found.slice(0, 2));
    checks[2]?.end('right');
    late.end(undefined);
    expect(await Promise.all(found)).toEqual(['right', 'undefined', BLOCKED, BLOCKED]);
  });

  it('counts no check that failed for another reason', async () => {
    const limit = new CountedFailedCredentials(withoutRedis);
    const counts = await burst(10, () => limit.checked(PAIR, () => Promise.reject(new Error('no database'))));
    expect([counts, await limit.checked(PAIR, RIGHT)]).toEqual([{ 'no database': 10 }, 'right']);
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
