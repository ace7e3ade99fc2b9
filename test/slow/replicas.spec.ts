import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import { aSecretsKey } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import type { ReplicatedServer } from '../support/replicated-server.js';
import { databaseOf, startReplicatedServer } from '../support/replicated-server.js';
import type { TestDatabase } from '../support/postgres.js';

const NDJSON = { 'content-type': 'application/x-ndjson' };

let server: ReplicatedServer;
let database: TestDatabase;
let one: RunningApplication;
let other: RunningApplication;
let token: string;
beforeAll(async () => {
  server = await startReplicatedServer(2);
  database = await databaseOf(server);
  const env = {
    SECRETS_KEY: aSecretsKey(),
    DATABASE_REPLICA_URLS: server.replicas.map(({ url }) => url).join(','),
  };
  one = await startApplication({ database, env });
  other = await startApplication({ database, env: { ...env, JWT_PRIVATE_KEY: '' } });
  token = await one.issuer.token();
});
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()]);
  await database.drop();
  await server.stop();
});

async function importOne(service: RunningApplication): Promise<string> {
  const record = aRecord();
  const body = `${JSON.stringify(record)}\n`;
  const answer = await service.request('POST', '/events/bulk-import', {
    listener: 'internal',
    token,
    headers: NDJSON,
    body,
  });
  expect(answer.json).toMatchObject({ imported: 1, rejected: 0 });
  return record.trackingId;
}

async function totalOf(service: RunningApplication, trackingId: string): Promise<unknown> {
  const body = { query: { clauses: [{ trackingId: { type: 'exact', term: trackingId } }] }, limit: 1 };
  const { status, json } = await service.request('POST', '/events/search', { token, body });
  return status === 200 ? (json as { total: number }).total : status;
}

async function replicasOf(service: RunningApplication): Promise<unknown> {
  const { status, json } = await service.request('GET', '/health/ready');
  const { checks } = json as { checks: { replicas?: unknown } };
  return { status, replicas: checks.replicas };
}

const become = (service: RunningApplication, ...replicas: readonly string[]): Promise<void> =>
  eventually(`ready, with replicas ${replicas.join(', ')}`, async () => {
    return JSON.stringify(await replicasOf(service)) === JSON.stringify({ status: 200, replicas });
  });

/** The lines of a metric, without its name. */
async function metric(service: RunningApplication, name: string): Promise<readonly string[]> {
  const { body } = await service.request('GET', '/metrics', { listener: 'internal' });
  return body.split('\n').flatMap((line) => (line.startsWith(`${name}{`) ? [line.slice(name.length)] : []));
}

describe('two processes with two replicas', () => {
  beforeEach(() => Promise.all([one, other].map((service) => become(service, 'up', 'up'))));

  it('find what was written through either of them, with the next search, on the replicas', async () => {
    for (let round = 0; round < 20; round += 1) {
      const trackingId = await importOne(round % 2 ? one : other);
      expect(await Promise.all([totalOf(one, trackingId), totalOf(other, trackingId)])).toEqual([1, 1]);
    }
    const reads = await metric(one, 'matricula_search_reads_total');
    const servers = server.replicas.map(({ url }) => `${new URL(url).host}/matricula`);
    expect(reads.map((line) => line.split(' ')[0])).toEqual([
      '{server="primary"}',
      ...servers.map((place) => `{server="${place}"}`),
    ]);
    // On a busy machine a replica can be behind for a moment, and the primary is searched.
    await eventually('a replica was searched', async () => {
      await totalOf(one, 'NOBODY');
      const [, ...onReplicas] = await metric(one, 'matricula_search_reads_total');
      return onReplicas.some((line) => Number(line.split(' ')[1]) > 0);
    });
    await eventually('the state of the replica', async () =>
      (await metric(one, 'matricula_replica_state')).includes(`{server="${servers[0] ?? ''}",state="up"} 1`),
    );
    expect(await metric(one, 'matricula_replica_lag_bytes')).toHaveLength(2);
  });

  it('answer every search while replicas die and come back, and stay ready', async () => {
    const trackingId = await importOne(one);
    const totals = new Set<unknown>();
    let isOver = false;
    const search = async (service: RunningApplication): Promise<void> => {
      while (!isOver) totals.add(await totalOf(service, trackingId));
    };
    const searching = Promise.all([search(one), search(one), search(other)]);
    try {
      await server.replicas[0]?.kill();
      await become(one, 'down', 'up');
      await server.replicas[1]?.kill();
      await become(one, 'down', 'down');
      expect(await totalOf(other, await importOne(one))).toBe(1);
    } finally {
      await Promise.all(server.replicas.map((replica) => replica.start()));
    }
    await become(one, 'up', 'up');
    isOver = true;
    await searching;
    expect([...totals]).toEqual([1]);
    const told = () => one.log.filter(({ level, msg }) => level === 'warn' && String(msg).includes('replica'));
    // Lines of the log come together, some later.
    await eventually('the log has told of each change', () => told().length >= 4);
    expect(JSON.stringify(told())).not.toContain(new URL(server.primaryUrl).password);
  });
});
