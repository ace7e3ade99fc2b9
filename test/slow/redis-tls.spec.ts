import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ServiceProcess } from '../faults/service-process.js';
import { aSecretsKey } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';
import type { RedisServer } from '../support/redis-server.js';
import { isRedisInstalled, startRedisServer } from '../support/redis-server.js';
import { createTestAuthority } from '../support/scripted-subscriber-certificates.js';

const SECRETS_KEY = aSecretsKey();
const suite = isRedisInstalled() ? describe : describe.skip;

suite('a Redis that speaks TLS alone', () => {
  let directory: string;
  let database: TestDatabase;
  let redis: RedisServer;
  let service: ServiceProcess | undefined;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'matricula-redis-tls-'));
    const authority = createTestAuthority();
    const { cert, key } = authority.issue(['localhost']);
    const files = { cert: join(directory, 'cert.pem'), key: join(directory, 'key.pem') };
    await writeFile(files.cert, cert);
    await writeFile(files.key, key, { mode: 0o600 });
    await writeFile(join(directory, 'ca.pem'), authority.certificate);
    await writeFile(join(directory, 'other-ca.pem'), createTestAuthority('Another').certificate);
    redis = await startRedisServer({ files, authority: authority.certificate });
    database = await createTestDatabase();
  });
  afterEach(() => service?.stop());
  afterAll(async () => {
    await redis.stop();
    await database.drop();
    await rm(directory, { recursive: true });
  });

  const start = async (url: string, authorityFile: string): Promise<ServiceProcess> => {
    service = new ServiceProcess({
      DATABASE_URL: database.url,
      SECRETS_KEY,
      REDIS_URL: url,
      NODE_EXTRA_CA_CERTS: join(directory, authorityFile),
    });
    await service.start();
    return service;
  };
  const fail = async ({ urls }: ServiceProcess): Promise<number> => {
    // Another one each time, so that none is blocked.
    const body = JSON.stringify({ client_id: randomUUID(), client_secret: 'wrong', grant_type: 'client_credentials' });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${urls?.publicUrl ?? ''}/token`, { method: 'POST', headers, body })).status;
  };

  it('counts and dispatches for a service that knows its authority and calls it by its name', async () => {
    const started = await start(redis.url, 'ca.pem');
    await eventually('the queue is up', async () => (await started.readiness()) === '200, queue up');
    // The connection that counts is another than that of the queue, and may be up later.
    await eventually('a failure is counted there', async () => {
      expect(await fail(started)).toBe(401);
      return /^matricula:failed-credentials:/m.test(await redis.dump());
    });
  });

  it.each([
    ['another authority', 'localhost', 'other-ca.pem'],
    ['another name', '127.0.0.1', 'ca.pem'],
  ])('is told nothing when its certificate is of %s', async (_, host, file) => {
    await redis.flush();
    const started = await start(redis.url.replace('localhost', host), file);
    expect(await fail(started)).toBe(401);
    await eventually('it says so', async () => (await started.readiness()) === '200, queue degraded');
    expect(await redis.dump()).toBe('');
  });
});
