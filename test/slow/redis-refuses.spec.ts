import { ServiceProcess } from '../faults/service-process.js';
import { aSecretsKey } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';
import type { RedisServer } from '../support/redis-server.js';
import { isRedisInstalled, startRedisServer } from '../support/redis-server.js';

const suite = isRedisInstalled() ? describe : describe.skip;

suite('a Redis that refuses every command', () => {
  let database: TestDatabase;
  let redis: RedisServer;
  let service: ServiceProcess | undefined;
  beforeAll(async () => {
    redis = await startRedisServer();
    database = await createTestDatabase();
  });
  afterEach(() => service?.stop());
  afterAll(async () => {
    await redis.stop();
    await database.drop();
  });

  it('ends no service that starts, and is used as soon as it accepts commands', async () => {
    await redis.refuse();
    const started = new ServiceProcess({
      DATABASE_URL: database.url,
      SECRETS_KEY: aSecretsKey(),
      REDIS_URL: redis.url,
    });
    service = started;
    await started.start();
    await eventually('it says so', async () => (await started.readiness()) === '200, queue degraded');
    await redis.admit();
    await eventually('the queue is up', async () => (await started.readiness()) === '200, queue up');
    await eventually('leases are taken from it', async () => (await redis.clients()).includes(' cmd=b'));
  });
});
