import { Deliveries } from '../../src/webhooks/delivery/deliveries.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aPublishedChange } from '../support/builders/a-published-change.js';
import { type DeliveryService, startDeliveryService } from '../support/delivery-service.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { isRedisInstalled, type RedisServer, startRedisServer } from '../support/redis-server.js';
import {
  answers,
  hangs,
  inTurn,
  resets,
  type ScriptedSubscriber,
  startScriptedSubscriber,
} from '../support/scripted-subscriber.js';
import { TcpProxy } from '../support/tcp-proxy.js';

let database: TestDatabase;
let subscriber: ScriptedSubscriber;
let service: DeliveryService | undefined;
beforeEach(async () => {
  database = await createTestDatabase();
  subscriber = await startScriptedSubscriber();
});
afterEach(async () => {
  await service?.close();
  await subscriber.close();
  await database.drop();
});

async function subscribed(environment: Readonly<Record<string, string>> = {}, url = database.url) {
  service = await startDeliveryService({ ...database, url }, environment);
  const { clientId } = await service.registerClient();
  const callback = subscriber.url();
  const topic = 'BIRTH_REGISTERED' as const;
  await service.subscriptions.subscribe({ clientId, topic, callback, format: 'standard', query: null });
  return service;
}

/** The samples of one metric: its labels (`outcome="delivered"`) and values. */
async function samples(of: DeliveryService, metric: string): Promise<Readonly<Record<string, number>>> {
  const text = await of.app.get(Metrics).registry.metrics();
  const lines = [...text.matchAll(new RegExp(`^${metric}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))];
  return Object.fromEntries(lines.map(([, labels = '', value]) => [labels, Number(value)]));
}

describe('metrics of deliveries', () => {
  it('count attempts by what came of them, how long they took and how long they had to wait', async () => {
    const running = await subscribed({ WEBHOOK_TIMEOUT_SECONDS: '10' });
    subscriber.behave(inTurn(answers(500), resets, hangs, answers(200)));
    await running.publish(aPublishedChange());
    await eventually('delivered', () => subscriber.notifications.length === 4);
    subscriber.behave(answers(404));
    await running.publish(aPublishedChange());
    await eventually('dead', () => subscriber.notifications.length === 8);
    const attempts = {
      'outcome="retry",answer="5xx"': 1,
      'outcome="retry",answer="reset"': 1,
      'outcome="retry",answer="timeout"': 1,
      'outcome="delivered",answer="2xx"': 1,
      'outcome="retry",answer="4xx"': 3,
      'outcome="dead",answer="4xx"': 1,
    };
    await eventually('the last one is counted', async () => {
      const counted = await samples(running, 'matricula_webhook_attempts_total');
      return counted['outcome="dead",answer="4xx"'] === 1;
    });
    expect(await samples(running, 'matricula_webhook_attempts_total')).toEqual(attempts);
    for (const metric of ['matricula_webhook_attempt_duration_seconds', 'matricula_webhook_wait_seconds']) {
      expect(await samples(running, `${metric}_count`)).toEqual({ '': 8 });
    }
    // One of them hung for its whole time.
    const { '': took = 0 } = await samples(running, 'matricula_webhook_attempt_duration_seconds_sum');
    expect(took).toBeGreaterThan(9);
  });

  it('tell what is pending and dead, and since when', async () => {
    const running = await subscribed();
    await database.database.query(sql`update system_client set status = 'deactivated'`);
    await running.publish(aPublishedChange(), aPublishedChange(), aPublishedChange());
    const createdMs = performance.now();
    await database.database.query(sql`update webhook_delivery set created_at = now() - interval '100 seconds'`);
    await database.database.query(sql`
      update webhook_delivery set status = 'dead', next_attempt_at = null, created_at = now() - interval '1 day'
       where id = (select id from webhook_delivery limit 1)`);
    expect(await samples(running, 'matricula_webhook_deliveries')).toEqual({
      'status="pending"': 2,
      'status="dead"': 1,
    });
    const { '': age = 0 } = await samples(running, 'matricula_webhook_oldest_pending_age_seconds');
    expect(age).toBeGreaterThanOrEqual(100);
    expect(age).toBeLessThanOrEqual(100 + (performance.now() - createdMs) / 1_000);
  });

  it('say nothing of the backlog while the database is away, and the rest all the same', async () => {
    const proxy = await TcpProxy.to(database.url);
    const running = await subscribed({}, proxy.url);
    await proxy.close();
    expect(await samples(running, 'matricula_webhook_deliveries')).toEqual({});
    expect(await samples(running, 'matricula_webhook_oldest_pending_age_seconds')).toEqual({ '': NaN });
    expect(await samples(running, 'matricula_webhook_wait_seconds_count')).toEqual({ '': 0 });
    await proxy.open();
    await running.close();
    service = undefined;
    await proxy.close();
  });
});

describe('the state of the queue', () => {
  const stateOf = (running: DeliveryService): string => running.app.get(Deliveries, { strict: false }).state;

  it('is down when nothing can be claimed for ten seconds, and up again when it can', async () => {
    const proxy = await TcpProxy.to(database.url);
    const running = await subscribed({}, proxy.url);
    expect(stateOf(running)).toBe('up');
    await proxy.close();
    await eventually('down', () => stateOf(running) === 'down');
    await proxy.open();
    await eventually('up', () => stateOf(running) === 'up');
    await running.close();
    service = undefined;
    await proxy.close();
  });

  (isRedisInstalled() ? describe : describe.skip)('with Redis', () => {
    let redis: RedisServer;
    beforeEach(async () => {
      redis = await startRedisServer();
    });
    afterEach(async () => {
      await service?.close();
      service = undefined;
      await redis.stop();
    });

    it.each<[string, (server: RedisServer) => Promise<unknown>, (server: RedisServer) => Promise<unknown>]>([
      ['is killed', (server) => server.kill(), (server) => server.restart()],
      ['is full', (server) => server.fill(), (server) => server.relieve()],
      ['hangs', (server) => server.freeze(), (server) => server.thaw()],
    ])('is degraded when Redis %s, which keeps nothing from being delivered', async (_, breaks, mends) => {
      const running = await subscribed({ REDIS_URL: redis.url });
      await running.publish(aPublishedChange());
      await eventually('up', () => subscriber.notifications.length === 1 && stateOf(running) === 'up');
      await breaks(redis);
      await running.publish(aPublishedChange());
      await eventually('delivered', () => subscriber.notifications.length === 2);
      await eventually('degraded', () => stateOf(running) === 'degraded');
      await mends(redis);
      await eventually('up', () => stateOf(running) === 'up');
      await running.publish(aPublishedChange());
      await eventually('delivered', () => subscriber.notifications.length === 3);
    });
  });
});
