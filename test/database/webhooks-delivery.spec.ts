import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { CLI } from '../../src/audit/audit-entry.js';
import { Database } from '../../src/database/pools/database.js';
import type { Uuid } from '../../src/domain/uuid.js';
import { sql } from '../../src/sql/sql.js';
import type { DeliveryView } from '../../src/webhooks/delivery-log/delivery-log.js';
import { DueDeliveries } from '../../src/webhooks/delivery/due-deliveries.js';
import { Housekeeping } from '../../src/webhooks/delivery/housekeeping.js';
import type { PublishedChange } from '../../src/webhooks/delivery/publisher.js';
import { Publisher } from '../../src/webhooks/delivery/publisher.js';
import type { Settlement } from '../../src/webhooks/delivery/settlements.js';
import { Settlements } from '../../src/webhooks/delivery/settlements.js';
import type { Topic } from '../../src/webhooks/topic.js';
import { aPublishedChange } from '../support/builders/a-published-change.js';
import { anAction } from '../support/builders/an-action.js';
import type { DeliveryService } from '../support/delivery-service.js';
import { startDeliveryService } from '../support/delivery-service.js';
import { eventually } from '../support/eventually.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';
import type { RedisServer } from '../support/redis-server.js';
import { isRedisInstalled, startRedisServer } from '../support/redis-server.js';
import type { ScriptedSubscriber } from '../support/scripted-subscriber.js';
import { answers, hangs, inTurn, resets, startScriptedSubscriber } from '../support/scripted-subscriber.js';

interface Subscribed {
  readonly clientId: Uuid;
  readonly id: Uuid;
  readonly key: string;
}

/** What a test opens; it is closed after it, the latest first. */
interface Openings {
  readonly database: () => TestDatabase['database'];
  readonly aService: (more?: Readonly<Record<string, string>>) => Promise<DeliveryService>;
  readonly aSubscriber: () => Promise<ScriptedSubscriber>;
  readonly aRedis: () => Promise<RedisServer>;
}

/** For each test a database of its own, on which services run in the environment. */
function openings(environment: () => Readonly<Record<string, string>>): Openings {
  let test: TestDatabase;
  let opened: (() => Promise<void>)[];

  beforeEach(async () => {
    opened = [];
    test = await createTestDatabase();
  });
  afterEach(async () => {
    for (const close of opened.reverse()) await close();
    await test.drop();
  });

  return {
    database: () => test.database,
    aService: async (more = {}) => {
      const service = await startDeliveryService(test, { ...environment(), ...more });
      opened.push(() => service.close());
      return service;
    },
    aSubscriber: async () => {
      const subscriber = await startScriptedSubscriber();
      opened.push(() => subscriber.close());
      return subscriber;
    },
    aRedis: async () => {
      const redis = await startRedisServer();
      opened.push(() => redis.stop());
      return redis;
    },
  };
}

async function subscribe(
  { registerClient, subscriptions }: DeliveryService,
  subscriber: Pick<ScriptedSubscriber, 'url'>,
  topic: Topic = 'BIRTH_REGISTERED',
  format: 'standard' | 'opencrvs-1x' = 'standard',
): Promise<Subscribed> {
  const { clientId, shaSecret } = await registerClient();
  await subscriptions.subscribe({ clientId, topic, callback: subscriber.url(), format, query: null });
  const [subscription] = await subscriptions.ofClient(clientId);
  if (subscription === undefined) throw new Error('not subscribed');
  return { clientId, id: subscription.id, key: shaSecret.reveal() };
}

/** What holds however deliveries are dispatched (P-3, W-8). */
function contract({ database, aService, aSubscriber }: Openings): void {
  const deliveriesOf = async ({ log }: DeliveryService, { id }: Subscribed): Promise<readonly DeliveryView[]> =>
    (await log.page(id, { limit: 1_000 })).deliveries;

  const untilAll = (service: DeliveryService, to: Subscribed, status: DeliveryView['status']): Promise<void> =>
    eventually(`all are ${status}`, async () =>
      (await deliveriesOf(service, to)).every((delivery) => delivery.status === status),
    );

  const statusOf = async ({ subscriptions }: DeliveryService, { clientId }: Subscribed): Promise<unknown> =>
    (await subscriptions.ofClient(clientId)).map(({ status }) => status);

  it('delivers what happened, signed, and keeps what was tried', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    const to = await subscribe(service, subscriber);
    subscriber.behave(answers(202, {}, 'thank you'));
    const change = aPublishedChange();
    await service.publish(change);
    await untilAll(service, to, 'delivered');

    const [received] = subscriber.notifications;
    const [delivery] = await deliveriesOf(service, to);
    const body = JSON.parse(received?.body.toString() ?? '') as { payload: unknown; url: string };
    expect(body.payload).toEqual({
      id: delivery?.id,
      timestamp: delivery?.createdAt.replace('Z', '+00:00'),
      event: { hub: { topic: 'BIRTH_REGISTERED' } },
    });
    expect(body.url).toBe(subscriber.url());
    expect(received?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Matricula\/\d/) as string,
      'x-hub-signature': `sha1=${createHmac('sha1', to.key)
        .update(received?.body ?? '')
        .digest('hex')}`,
      'webhook-id': delivery?.id,
      'x-correlation-id': 'correlation-1',
    });
    expect(delivery).toEqual({
      id: expect.any(String) as string,
      topic: 'BIRTH_REGISTERED',
      eventId: change.record.id,
      status: 'delivered',
      createdAt: expect.any(String) as string,
      nextAttemptAt: null,
      attempts: [
        {
          at: expect.any(String) as string,
          durationMs: expect.any(Number) as number,
          status: 202,
          error: null,
          response: 'thank you',
        },
      ],
    });
  });

  it('delivers nothing of a transaction that was rolled back, and nothing of other topics and changes', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    const to = await subscribe(service, subscriber);
    const rolledBack = database().transaction(async (transaction) => {
      await service.app.get(Publisher).publish(transaction, [aPublishedChange()]);
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    const death = aPublishedChange();
    await service.publish({ ...death, record: { ...death.record, type: 'death' } });
    await service.publish(aPublishedChange({ action: anAction({ type: 'REGISTER', status: 'Requested' }) }));
    const last = aPublishedChange();
    await service.publish(last);
    await untilAll(service, to, 'delivered');
    expect((await deliveriesOf(service, to)).map(({ eventId }) => eventId)).toEqual([last.record.id]);
    expect(subscriber.notifications).toHaveLength(1);
  });

  it('sends each subscriber its own delivery, in the format that it asked for', async () => {
    const service = await aService();
    const [first, second] = [await aSubscriber(), await aSubscriber()];
    await subscribe(service, first);
    const { id, key } = await subscribe(service, second, 'BIRTH_REGISTERED', 'opencrvs-1x');
    const change = aPublishedChange();
    const { record } = change;
    await service.publish({
      ...change,
      record: { ...record, declaration: { 'child.name': { firstname: 'Åsa', surname: 'Öst' } } },
    });
    await eventually('both', () => first.notifications.length + second.notifications.length === 2);
    const [standard, old] = [first, second].map(({ notifications }) => notifications[0]);
    expect(standard?.body.toString('latin1')).toMatch(/^[\x20-\x7e]*"\\u00c5sa"[\x20-\x7e]*$/);
    expect(old?.body.toString()).toMatch(new RegExp(`^{"timestamp":"[^"]*Z","id":"${id}","event":{"hub":.*"Åsa"`));
    const signed = `sha256:${encodeURIComponent(old?.body.toString() ?? '')}`;
    expect(old?.headers['x-hub-signature']).toBe(`sha256=${createHmac('sha256', key).update(signed).digest('hex')}`);
  });

  it('tries again with the same bytes until it is acknowledged', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    const to = await subscribe(service, subscriber);
    subscriber.behave(
      inTurn(answers(500, {}, 'not now'), answers(302, { location: subscriber.url() }), resets, answers(200)),
    );
    await service.publish(aPublishedChange());
    await untilAll(service, to, 'delivered');
    const [delivery] = await deliveriesOf(service, to);
    expect(delivery?.attempts.map(({ status, error, response }) => [status, error?.split(':')[0], response])).toEqual([
      [500, undefined, 'not now'],
      [302, undefined, ''],
      [null, 'reset', null],
      [200, undefined, ''],
    ]);
    expect(new Set(subscriber.notifications.map(({ body }) => body.toString())).size).toBe(1);
  });

  it('gives a delivery up as dead after the last attempt, and delivers it when it is replayed', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    const to = await subscribe(service, subscriber);
    subscriber.behave(answers(500));
    await service.publish(aPublishedChange());
    await untilAll(service, to, 'dead');
    expect(subscriber.notifications).toHaveLength(4);

    subscriber.behave(answers(200));
    const [dead] = await deliveriesOf(service, to);
    const at = dead?.createdAt ?? '';
    const time = { since: at, until: at } as Parameters<DeliveryService['log']['replay']>[1];
    expect(await service.log.replay(to.id, { ...time, status: 'delivered' })).toBe(0);
    expect(await service.log.replay(to.id, { ...time, status: 'dead' })).toBe(1);
    await untilAll(service, to, 'delivered');
    expect(dead && (await service.log.replayOne(to.id, dead.id))).toBe(true);
    await eventually('once more', () => subscriber.notifications.length === 6);
    expect(new Set(subscriber.notifications.map(({ body }) => body.toString())).size).toBe(1);
  });

  it('is never earlier than Retry-After', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    const to = await subscribe(service, subscriber);
    subscriber.behave(inTurn(answers(429, { 'retry-after': '2' }), answers(200)));
    await service.publish(aPublishedChange());
    await untilAll(service, to, 'delivered');
    const [first, second] = subscriber.notifications.map(({ atMs }) => atMs);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(2_000);
  });

  it('ends the subscription on 410, and drops what waits for it', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    const to = await subscribe(service, subscriber);
    subscriber.behave(answers(410));
    await service.publish(aPublishedChange());
    await eventually('ended', async () => ((await statusOf(service, to)) as string[])[0] === 'ended');
    await service.publish(aPublishedChange());
    await untilAll(service, to, 'dropped');
    expect(await deliveriesOf(service, to)).toHaveLength(1);
    expect(subscriber.notifications).toHaveLength(1);
  });

  it('disables a subscription that does nothing but fail, and keeps the gap for a replay', async () => {
    const service = await aService({ WEBHOOK_DISABLE_AFTER_HOURS: '0.0001', WEBHOOK_RETRY_SECONDS: '0.1,0.5,9,9' });
    const subscriber = await aSubscriber();
    const to = await subscribe(service, subscriber);
    subscriber.behave(answers(500));
    await service.publish(aPublishedChange());
    await eventually('disabled', async () => ((await statusOf(service, to)) as string[])[0] === 'disabled');
    await service.publish(aPublishedChange());
    await untilAll(service, to, 'dead');

    subscriber.behave(answers(200));
    const { clientId } = to;
    const again = {
      clientId,
      topic: 'BIRTH_REGISTERED',
      callback: subscriber.url(),
      format: 'standard',
      query: null,
    } as const;
    await service.subscriptions.subscribe(again);
    const renewed = await service.subscriptions.ofClient(clientId);
    expect(renewed.map(({ id, status }) => ({ id, status }))).toEqual([{ id: to.id, status: 'active' }]);
    const gap = { since: '2000-01-01T00:00:00.000Z', until: '2100-01-01T00:00:00.000Z', status: 'dead' };
    expect(await service.log.replay(to.id, gap as Parameters<DeliveryService['log']['replay']>[1])).toBe(2);
    await untilAll(service, to, 'delivered');
  });

  it('sends at most so many at a time to one subscription, and lets no other wait for it', async () => {
    // Whoever waited for the one that hangs would wait longer than this test does.
    const patient = { WEBHOOK_TIMEOUT_SECONDS: '60', WEBHOOK_LEASE_SECONDS: '70' };
    const services = [await aService(patient), await aService(patient)];
    const [service] = services as [DeliveryService];
    const [hanging, quick] = [await aSubscriber(), await aSubscriber()];
    const toHanging = await subscribe(service, hanging);
    const to = await subscribe(service, quick);
    hanging.behave(hangs);
    let most = 0;
    const underWay: ServerResponse[] = [];
    // Answers five together, a while after the fifth has come: a sixth would be seen.
    quick.behave((_, answer) => {
      most = Math.max(most, underWay.push(answer));
      if (underWay.length !== 5) return;
      setTimeout(() => {
        for (const waiting of underWay.splice(0)) waiting.writeHead(200).end();
      }, 5);
    });
    for (let count = 0; count < 10; count += 1) await service.publish(...many(20));
    await untilAll(service, to, 'delivered');
    expect(quick.notifications).toHaveLength(200);
    expect(most).toBe(5);
    expect(hanging.notifications).toHaveLength(5);
    const waiting = await deliveriesOf(service, toHanging);
    expect(waiting.filter(({ status, attempts }) => status === 'pending' && attempts.length === 0)).toHaveLength(200);
  });

  it('delivers once what several processes are there for', async () => {
    // On a busy machine an exchange may take more than the second that the other tests give it.
    const patient = { WEBHOOK_TIMEOUT_SECONDS: '20', WEBHOOK_LEASE_SECONDS: '30' };
    const services = [await aService(patient), await aService(patient), await aService(patient)];
    const [service] = services as [DeliveryService];
    const subscribers = [await aSubscriber(), await aSubscriber(), await aSubscriber(), await aSubscriber()];
    const all = await Promise.all(subscribers.map((subscriber) => subscribe(service, subscriber)));
    const changes = many(300);
    for (let at = 0; at < changes.length; at += 10) await service.publish(...changes.slice(at, at + 10));
    for (const to of all) await untilAll(service, to, 'delivered');
    for (const subscriber of subscribers) {
      const ids = subscriber.notifications.map(({ headers }) => headers['webhook-id']);
      expect([ids.length, new Set(ids).size]).toEqual([300, 300]);
    }
  });

  it('makes a deactivated client wait, and goes on when it is active again', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    const to = await subscribe(service, subscriber);
    await service.clients.setStatus(to.clientId, 'deactivated', CLI);
    await service.publish(aPublishedChange());
    await sleep(1_500);
    expect(subscriber.notifications).toHaveLength(0);
    expect(await deliveriesOf(service, to)).toMatchObject([{ status: 'pending', attempts: [] }]);
    await service.clients.setStatus(to.clientId, 'active', CLI);
    await untilAll(service, to, 'delivered');
  });

  it('drops what waits for a subscription that is removed', async () => {
    const service = await aService({ WEBHOOK_RETRY_SECONDS: '1,1,1' });
    const subscriber = await aSubscriber();
    const to = await subscribe(service, subscriber);
    subscriber.behave(answers(500));
    await service.publish(aPublishedChange());
    await eventually('tried', async () => (await deliveriesOf(service, to))[0]?.attempts.length === 1);
    expect(await service.subscriptions.remove(to.clientId, to.id)).toBe(true);
    await service.publish(aPublishedChange());
    await untilAll(service, to, 'dropped');
    await sleep(1_500);
    expect(subscriber.notifications).toHaveLength(1);
  });

  it('finds what a process left that died, once its lease has run out', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    const to = await subscribe(service, subscriber);
    await database().query(sql`
      update webhook_subscription set claim_token = gen_random_uuid(), claimed_until = now() + interval '2 seconds'`);
    const beganMs = performance.now();
    await service.publish(aPublishedChange());
    await untilAll(service, to, 'delivered');
    expect(performance.now() - beganMs).toBeGreaterThan(1_900);
    expect(subscriber.notifications).toHaveLength(1);
  });

  it('leaves nothing claimed and nothing half done when it ends in the middle of it', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    const to = await subscribe(service, subscriber);
    subscriber.behave((_, answer) => {
      setTimeout(() => answer.writeHead(200).end(), 100);
    });
    await service.publish(...many(50));
    await eventually('begun', () => subscriber.notifications.length > 0);
    await service.close();
    const begun = subscriber.notifications.length;
    const rows = await database().query(sql`
      select s.claim_token as claim, count(*) filter (where d.status = 'delivered')::int as delivered
        from webhook_subscription s join webhook_delivery d on d.subscription_id = s.id group by s.id`);
    expect(rows).toEqual([{ claim: null, delivered: begun }]);
    expect(begun).toBeLessThan(50);

    const next = await aService();
    await untilAll(next, to, 'delivered');
    expect(new Set(subscriber.notifications.map(({ headers }) => headers['webhook-id'])).size).toBe(50);
    expect(subscriber.notifications).toHaveLength(50);
  });

  it('tells the time by the clock of the database alone', async () => {
    const now = Date.now;
    Date.now = () => now() + 300_000;
    try {
      const service = await aService();
      const subscriber = await aSubscriber();
      const to = await subscribe(service, subscriber);
      subscriber.behave(inTurn(answers(503, { 'retry-after': '1' }), answers(200)));
      await service.publish(aPublishedChange());
      await untilAll(service, to, 'delivered');
      const sentAt = subscriber.notifications.map(({ headers }) => Number(headers['webhook-timestamp']) * 1_000);
      for (const at of sentAt) expect(Math.abs(at - now())).toBeLessThan(10_000);
    } finally {
      Date.now = now;
    }
  });
}

const many = (count: number): PublishedChange[] => Array.from({ length: count }, () => aPublishedChange());

describe('deliveries dispatched in the process', () => {
  contract(openings(() => ({})));
});

(isRedisInstalled() ? describe : describe.skip)('deliveries dispatched through Bull', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedisServer();
  });
  afterAll(() => redis.stop());

  const opens = openings(() => ({ REDIS_URL: redis.url }));
  const { aService, aSubscriber, aRedis } = opens;
  contract(opens);

  it.each([
    ['is flushed', (server: RedisServer) => server.flush()],
    ['is full', (server: RedisServer) => server.fill()],
    ['is killed', (server: RedisServer) => server.kill()],
    ['is killed and comes back empty', (server: RedisServer) => server.kill().then(() => server.restart())],
  ])('loses nothing when Redis %s meanwhile', async (_, happens) => {
    const own = await aRedis();
    const service = await aService({ REDIS_URL: own.url });
    const subscriber = await aSubscriber();
    await subscribe(service, subscriber);
    for (let count = 0; count < 30; count += 1) {
      await service.publish(...many(10));
      if (count === 10) await happens(own);
    }
    await eventually(
      'all',
      () => new Set(subscriber.notifications.map(({ body }) => body.toString())).size === 300,
      25_000,
    );
    expect(subscriber.notifications).toHaveLength(300);
  });

  it('starts and delivers without Redis, too', async () => {
    const service = await aService({ REDIS_URL: 'redis://127.0.0.1:1' });
    const subscriber = await aSubscriber();
    await subscribe(service, subscriber);
    await service.publish(aPublishedChange());
    await eventually('delivered', () => subscriber.notifications.length === 1);
  });

  it('keeps nothing in Redis of what is delivered', async () => {
    const own = await aRedis();
    const service = await aService({ REDIS_URL: own.url });
    const subscriber = await aSubscriber();
    const dumps: Promise<string>[] = [];
    subscriber.behave((_, answer) => {
      dumps.push(own.dump().finally(() => answer.writeHead(200).end()));
    });
    const { key } = await subscribe(service, subscriber);
    await sleep(300);
    await service.publish(...many(3));
    await eventually('delivered', () => subscriber.notifications.length === 3);
    const seen = (await Promise.all(dumps)).join('\n');
    expect(seen).toContain('webhook-lanes');
    for (const text of ['Chilufya', 'payload', 'hmac', subscriber.url(), key]) expect(seen).not.toContain(text);
    await eventually('nothing is left', async () => !/webhook-lanes:[0-9a-f-]{36} /.test(await own.dump()));
  });
});

describe('the outbox', () => {
  let test: TestDatabase;
  let service: DeliveryService;
  beforeAll(async () => {
    test = await createTestDatabase();
    service = await startDeliveryService(test, { WEBHOOK_RETENTION_DAYS: '1' });
  });
  afterAll(async () => {
    await service.close();
    await test.drop();
  });
  beforeEach(() =>
    test.dataSource.query('truncate webhook_context, webhook_delivery, webhook_attempt, webhook_subscription'),
  );

  async function aWaitingDelivery(): Promise<{ readonly subscriptionId: Uuid; readonly deliveryId: Uuid }> {
    const { clientId } = await subscribe(service, { url: () => 'https://127.0.0.1:1/' });
    await service.clients.setStatus(clientId, 'deactivated', CLI);
    await service.publish(aPublishedChange());
    const [row] = await test.database.query<{ subscriptionId: Uuid; deliveryId: Uuid }>(
      sql`select id as "deliveryId", subscription_id as "subscriptionId" from webhook_delivery`,
    );
    if (row === undefined) throw new Error('nothing was published');
    return row;
  }

  /** What a process says of an attempt that failed, which does not hold the lane. */
  const aSettlement = (delivery: { readonly subscriptionId: Uuid; readonly deliveryId: Uuid }): Settlement => ({
    ...delivery,
    token: '00000000-0000-4000-8000-000000000000',
    atMs: Date.now(),
    note: { durationMs: 1, status: 500, error: null, response: '' },
    verdict: 'retry',
    waitMs: 0,
  });
  const state = (): Promise<unknown[]> =>
    test.database.query(sql`
    select status, failures, (select count(*)::int from webhook_attempt where delivery_id = id) as attempts
      from webhook_delivery`);

  it('is settled by the holder of the lane alone, but for the truth that something was delivered', async () => {
    const settlement = aSettlement(await aWaitingDelivery());
    const settlements = service.app.get(Settlements, { strict: false });
    await settlements.note({ ...settlement, verdict: 'dead' });
    expect(await state()).toEqual([{ status: 'pending', failures: 0, attempts: 1 }]);
    await settlements.note({ ...settlement, verdict: 'delivered' });
    expect(await state()).toEqual([{ status: 'delivered', failures: 0, attempts: 2 }]);
  });

  it.each(['dead', 'dropped'])('that became %s while its subscriber acknowledged it was delivered', async (status) => {
    const settlement = aSettlement(await aWaitingDelivery());
    await test.database.query(sql`update webhook_delivery set status = ${status}, next_attempt_at = null`);
    await service.app.get(Settlements, { strict: false }).note({ ...settlement, verdict: 'delivered' });
    expect(await state()).toEqual([{ status: 'delivered', failures: 0, attempts: 1 }]);
  });

  it('notes an attempt once when it has to say so twice, the answer of the database being lost', async () => {
    const settlement = aSettlement(await aWaitingDelivery());
    await test.database.query(sql`update webhook_subscription set claim_token = ${settlement.token}`);
    const database = service.app.get(Database, { strict: false });
    const query = database.query.bind(database);
    let isLost = false;
    const losing = jest.spyOn(database, 'query').mockImplementation(async (statement) => {
      const rows = await query(statement);
      if (!isLost && statement.toQuery().text.includes('insert into webhook_attempt')) {
        isLost = true;
        throw new Error('the connection was lost');
      }
      return rows;
    });
    try {
      await service.app.get(Settlements, { strict: false }).note(settlement);
    } finally {
      losing.mockRestore();
    }
    expect(isLost).toBe(true);
    expect(await state()).toEqual([{ status: 'pending', failures: 1, attempts: 1 }]);
  });

  it('gives a claim to one of those who open it', async () => {
    const { subscriptionId } = await aWaitingDelivery();
    await test.database.query(sql`update system_client set status = 'active'`);
    const due = service.app.get(DueDeliveries, { strict: false });
    const token = '00000000-0000-4000-8000-000000000001';
    await test.database.query(sql`
      update webhook_subscription set claim_token = ${token}, claimed_until = now() + interval '9 seconds'`);
    const claim = { subscriptionId, token, pace: 'unknown' } as const;
    const amount = { most: 5, bytes: 1_000_000 };
    const opened = await Promise.all([due.open(claim, amount), due.open(claim, amount)]);
    expect(opened.filter((one) => one !== undefined)).toHaveLength(1);
  });

  it('removes what is older than the retention, delivered or not', async () => {
    await aWaitingDelivery();
    await test.database.query(sql`update webhook_context set created_at = now() - interval '25 hours'`);
    await aWaitingDelivery();
    await service.app.get(Housekeeping, { strict: false }).run();
    const counts = await test.database.query(sql`
      select (select count(*)::int from webhook_context) as contexts, (select count(*)::int from webhook_delivery) as deliveries`);
    // Both subscriptions were published to the second time.
    expect(counts).toEqual([{ contexts: 1, deliveries: 2 }]);
  });

  it('writes nothing where nobody has subscribed', async () => {
    await service.publish(aPublishedChange());
    expect(await test.database.query(sql`select id from webhook_context`)).toEqual([]);
  });
});
