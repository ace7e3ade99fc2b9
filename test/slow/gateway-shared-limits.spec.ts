import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Secret } from '../../src/platform/config/secret.js';
import { ClientRateLimit } from '../../src/gateway/rate-limit/rate-limits.js';
import { COMMAND_MS, RedisConnection } from '../../src/gateway/rate-limit/redis-connection.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { eventually } from '../support/eventually.js';
import { isRedisInstalled, type RedisServer, startRedisServer } from '../support/redis-server.js';
import { HANG_MS } from '../support/time-outs.js';

/** For `NODE_OPTIONS`: an answer of Redis is late when the test hangs, and not when the machine is busy. */
const PATIENTLY = `--import=data:text/javascript,${encodeURIComponent(`
  const begin = globalThis.setTimeout;
  const patient = (work, ms, ...more) => begin(work, ms === ${COMMAND_MS} ? ${HANG_MS} : ms, ...more);
  globalThis.setTimeout = Object.assign(patient, begin);`)}`;

const suite = isRedisInstalled() ? describe : describe.skip;

suite('rate limits in Redis', () => {
  let redis: RedisServer;
  let one: RunningApplication;
  let other: RunningApplication;
  beforeAll(async () => {
    redis = await startRedisServer();
    const env = {
      REDIS_URL: redis.url,
      RATE_LIMIT_PER_MINUTE: '3',
      SECRETS_KEY: randomBytes(32).toString('base64'),
      TRUSTED_PROXIES: '127.0.0.1',
      NODE_OPTIONS: PATIENTLY,
    };
    one = await startApplication({ env });
    other = await startApplication({ env, database: one.database });
  });
  afterAll(async () => {
    await other.stop();
    await one.stop();
    await redis.stop();
  });

  const ask = async (service: RunningApplication, sub: string): Promise<number> => {
    const token = await one.issuer.token({ sub });
    return (await service.request('POST', '/deactivateSystemClient', { listener: 'internal', token })).status;
  };
  const fail = async (service: RunningApplication): Promise<number> => {
    const body = { client_id: 'nobody', client_secret: 'wrong', grant_type: 'client_credentials' };
    return (await service.request('POST', '/token', { body })).status;
  };

  it('are shared by all processes', async () => {
    const requests = [await ask(one, 'a'), await ask(other, 'a'), await ask(one, 'a'), await ask(other, 'a')];
    const failures: number[] = [];
    for (let round = 1; round <= 6; round += 1) failures.push(await fail(one), await fail(other));
    expect([requests, failures]).toEqual([
      [400, 400, 400, 429],
      [401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 429, 429],
    ]);
  });

  it('hold for attempts at the same moment, over all processes', async () => {
    const client = await one.registerClient('HEALTH');
    const attempt = async (secret: string, at: number): Promise<number> => {
      const body = { client_id: client.clientId, client_secret: secret, grant_type: 'client_credentials' };
      return (await (at % 2 === 0 ? one : other).request('POST', '/token', { body })).status;
    };
    const burst = async (count: number, secret: string): Promise<Record<number, number>> => {
      const counts: Record<number, number> = {};
      const statuses = await Promise.all(Array.from({ length: count }, (_, at) => attempt(secret, at)));
      for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
      return counts;
    };
    expect(await burst(20, client.clientSecret)).toEqual({ 200: 20 });
    const answers: Record<number, number>[] = [];
    for (let round = 1; round <= 3; round += 1) answers.push(await burst(300, 'wrong'));
    expect(answers).toEqual([{ 401: 10, 429: 290 }, { 429: 300 }, { 429: 300 }]);
    expect(await burst(10, client.clientSecret)).toEqual({ 429: 10 });
  });

  it('hold for the routes of users, by the keys of the throttling table', async () => {
    const login = async (username: string, address: string, at: number): Promise<number> => {
      const headers = { 'x-forwarded-for': address };
      const body = { username, password: 'wrong' };
      return (await (at % 2 === 0 ? one : other).request('POST', '/auth/authenticate', { headers, body })).status;
    };
    const superUser = async (at: number): Promise<number> => {
      const given = { headers: { 'x-forwarded-for': `192.0.2.${at}` }, body: { password: 'wrong' } };
      return (await (at % 2 === 0 ? one : other).request('POST', '/auth/authenticate-super-user', given)).status;
    };
    const logins: number[] = [];
    const superUsers: number[] = [];
    for (let at = 1; at <= 12; at += 1) {
      logins.push(await login('somebody', '192.0.2.1', at));
      superUsers.push(await superUser(at));
    }
    const tenThenRefused = [...Array<number>(10).fill(401), 429, 429];
    expect([logins, superUsers]).toEqual([tenThenRefused, tenThenRefused]);
    expect([await login('Somebody', '192.0.2.1', 1), await login('somebody', '192.0.2.2', 1)]).toEqual([429, 401]);
  });

  it('are read from an answer that came while the process was busy, and not waited for where none comes', async () => {
    const connection = new RedisConnection({ REDIS_URL: new Secret(redis.url) });
    const { client } = connection;
    if (client === undefined) throw new Error('there is a URL');
    await eventually('it is connected', () => client.status === 'ready');
    const dueMs = performance.now() + 2 * COMMAND_MS;
    const answer = client.set('answered', 7);
    untilAnswered(redis, 'answered');
    while (performance.now() < dueMs);
    expect(await answer).toBe('OK');
    await redis.freeze();
    await expect(client.eval('return 7', 0)).rejects.toThrow('Redis did not answer in time');
    await redis.thaw();
    connection.onApplicationShutdown();
  });

  it('are counted without waiting for a Redis that hangs, until it answers again', async () => {
    const connection = new RedisConnection({ REDIS_URL: new Secret(redis.url) });
    const { client } = connection;
    if (client === undefined) throw new Error('there is a URL');
    try {
      await eventually('it is connected', () => client.status === 'ready');
      await redis.freeze();
      const messages = new Set<string>();
      for (let asked = 0; asked < 20 && messages.size < 2; asked += 1) {
        await client.eval('return 7', 0).catch((error: unknown) => messages.add((error as Error).message));
      }
      expect([...messages]).toEqual(['Redis did not answer in time', expect.stringContaining("isn't writeable")]);
      const limit = new ClientRateLimit({ RATE_LIMIT_PER_MINUTE: 1 }, connection);
      await limit.take('a');
      await expect(limit.take('a')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
      await redis.thaw();
      const seven = (): Promise<unknown> => client.eval('return 7', 0).catch(() => undefined);
      await eventually('it is used again', async () => (await seven()) === 7);
    } finally {
      await redis.thaw();
      connection.onApplicationShutdown();
    }
  });

  it('are counted by each process while Redis is away', async () => {
    await redis.kill();
    const statuses = [];
    for (let request = 1; request <= 4; request += 1) statuses.push(await ask(one, 'b'));
    expect([statuses, await ask(other, 'b')]).toEqual([[400, 400, 400, 429], 400]);
    const body = { username: 'another', password: 'wrong' };
    expect((await one.request('POST', '/auth/authenticate', { body })).status).toBe(401);
    expect((await one.request('GET', '/health/ready')).status).toBe(200);
  });
});

/** Keeps this process busy until Redis has answered who sets a key: another process asks for it. */
function untilAnswered({ url }: RedisServer, key: string): void {
  const { hostname, port } = new URL(url);
  const program = `
    const socket = require('node:net').connect(${port}, '${hostname}');
    const ask = () => socket.write('EXISTS ${key}\\r\\n');
    socket.on('data', (found) => (String(found) === ':1\\r\\n' ? socket.destroy() : ask()));
    ask();`;
  execFileSync(process.execPath, ['--input-type=commonjs', '--eval', program], { timeout: HANG_MS });
}
