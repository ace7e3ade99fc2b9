import { PER_ADDRESS_AND_MINUTE, THROTTLES, type ThrottledRoute } from '../../auth/secrets/failed-credential-limit.js';
import { CountedRequests } from './rate-limits.js';
import { RedisConnection } from './redis-connection.js';

const withoutRedis = new RedisConnection({ REDIS_URL: undefined });
const HERE = '192.0.2.1';
const ELSEWHERE = '192.0.2.2';

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

/** How many requests in a row were let through. */
async function passed(
  throttle: CountedRequests,
  ...[route, key, address]: Parameters<CountedRequests['take']>
): Promise<number> {
  for (let taken = 0; ; taken += 1) {
    try {
      await throttle.take(route, key, address);
    } catch {
      return taken;
    }
  }
}

describe('the throttling table', () => {
  it('is the one of the decisions', () => {
    const rows = Object.entries(THROTTLES).map(([route, { key, of, perMinute }]) => [route, key, of, perMinute]);
    expect(rows).toEqual([
      ['authenticate', 'username', 'address', 10],
      ['authenticate-super-user', null, 'everybody', 10],
      ['verifyCode', 'nonce', 'address', 10],
      ['resendAuthenticationCode', 'nonce', 'address', 10],
      ['verifyUser', 'mobile or email', 'address', 10],
      ['verifyRecoveryToken', null, 'address', 60],
      ['verifySecurityAnswer', 'nonce', 'address', 10],
      ['changePassword', 'nonce', 'address', 10],
      ['sendUserName', 'nonce', 'address', 10],
      ['refreshToken', 'session', 'everybody', 60],
      ['invalidateToken', 'session', 'everybody', 60],
    ]);
  });

  it.each(Object.keys(THROTTLES) as ThrottledRoute[])('holds for %s, by its key and the address', async (route) => {
    const { key, of, perMinute } = THROTTLES[route];
    const throttle = new CountedRequests(withoutRedis, { LOGIN_RATE_LIMIT: 'on' });
    expect([
      await passed(throttle, route, 'a', HERE),
      await passed(throttle, route, 'b', HERE),
      await passed(throttle, route, 'a', ELSEWHERE),
    ]).toEqual([perMinute, key === null ? 0 : perMinute, of === 'everybody' ? 0 : perMinute]);
    await expect(throttle.take(route, 'a', HERE)).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      headers: { 'retry-after': '60' },
      refusal: 'logins-throttled',
    });
    jest.advanceTimersByTime(60_000);
    expect(await passed(throttle, route, 'a', HERE)).toBe(perMinute);
  });

  it('says how long to wait, in whole seconds', async () => {
    const throttle = new CountedRequests(withoutRedis, { LOGIN_RATE_LIMIT: 'on' });
    await passed(throttle, 'authenticate', 'a', HERE);
    jest.advanceTimersByTime(42_500);
    await expect(throttle.take('authenticate', 'a', HERE)).rejects.toMatchObject({ headers: { 'retry-after': '18' } });
  });

  it('counts a user name as one, however it is written', async () => {
    const throttle = new CountedRequests(withoutRedis, { LOGIN_RATE_LIMIT: 'on' });
    await passed(throttle, 'authenticate', 'José', HERE);
    expect([
      await passed(throttle, 'authenticate', 'JOSE\u0301', HERE),
      await passed(throttle, 'authenticate', 'jose', HERE),
    ]).toEqual([0, 10]);
  });

  it('counts sessions by themselves: not those that an address has used up keep on, nor do they use it up', async () => {
    const throttle = new CountedRequests(withoutRedis, { LOGIN_RATE_LIMIT: 'on' });
    for (let at = 0; at < PER_ADDRESS_AND_MINUTE; at += 1) await throttle.take('refreshToken', `session ${at}`, HERE);
    expect(await passed(throttle, 'verifyCode', 'a', HERE)).toBe(10);
    for (let at = 11; at < PER_ADDRESS_AND_MINUTE; at += 1) await throttle.take('verifyCode', `nonce ${at}`, HERE);
    expect([
      await passed(throttle, 'verifyCode', 'b', HERE),
      await passed(throttle, 'refreshToken', 'mine', HERE),
      await passed(throttle, 'invalidateToken', 'mine', ELSEWHERE),
    ]).toEqual([0, 60, 60]);
  });

  it('counts nonces by their letter case', async () => {
    const throttle = new CountedRequests(withoutRedis, { LOGIN_RATE_LIMIT: 'on' });
    await passed(throttle, 'verifyCode', 'abc=', HERE);
    expect(await passed(throttle, 'verifyCode', 'ABC=', HERE)).toBe(10);
  });

  it('caps an address over all routes and names, a whole IPv6 network as one', async () => {
    const throttle = new CountedRequests(withoutRedis, { LOGIN_RATE_LIMIT: 'on' });
    for (let at = 0; at < PER_ADDRESS_AND_MINUTE; at += 1) {
      await throttle.take(at % 2 === 0 ? 'authenticate' : 'verifyCode', `name ${at}`, `2001:db8::${at.toString(16)}`);
    }
    expect([
      await passed(throttle, 'sendUserName', 'another', '2001:db8::1:1'),
      await passed(throttle, 'sendUserName', 'another', '2001:db8:0:1::1'),
    ]).toEqual([0, 10]);
  });
});

describe('LOGIN_RATE_LIMIT=off', () => {
  it('counts no name and no address, and the super user and sessions as before (U-8)', async () => {
    const throttle = new CountedRequests(withoutRedis, { LOGIN_RATE_LIMIT: 'off' });
    for (let at = 0; at < 700; at += 1) await throttle.take('authenticate', 'k.mweene', '10.0.0.1');
    for (let at = 0; at < 10; at += 1) await throttle.take('authenticate-super-user', '', '10.0.0.1');
    for (let at = 0; at < 60; at += 1) await throttle.take('refreshToken', 'family', '10.0.0.1');
    const refused = { code: 'TOO_MANY_REQUESTS' };
    await expect(throttle.take('authenticate-super-user', '', '10.0.0.2')).rejects.toMatchObject(refused);
    await expect(throttle.take('refreshToken', 'family', '10.0.0.2')).rejects.toMatchObject(refused);
  });
});
