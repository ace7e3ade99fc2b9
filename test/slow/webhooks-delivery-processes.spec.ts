import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { getQueueToken } from '@nestjs/bull';
import type { Queue } from 'bull';

import { CLI } from '../../src/platform/audit/audit-entry.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { WAKE_UPS_QUEUE } from '../../src/webhooks/delivery/bull-wake-ups.js';
import { Deliveries } from '../../src/webhooks/delivery/deliveries.js';
import { aPublishedChange } from '../support/builders/a-published-change.js';
import type { Openings } from '../support/deliveries.js';
import { deliveriesOf, many, ofBothDispatches, subscribe, untilAll } from '../support/deliveries.js';
import { deliveryContract } from '../support/delivery-contract.js';
import type { DeliveryService } from '../support/delivery-service.js';
import { eventually } from '../support/eventually.js';
import type { RedisServer } from '../support/redis-server.js';
import { answers, hangs, inTurn } from '../support/scripted-subscriber.js';
import { HANG_MS } from '../support/time-outs.js';

/** What holds however deliveries are dispatched (P-3, W-8). */
function contract({ database, aService, aSubscriber }: Openings): void {
  it('sends at most so many at a time to one subscription, and lets no other wait for it', async () => {
    const services = [await aService(), await aService()];
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
    const services = [await aService(), await aService(), await aService()];
    const [service] = services as [DeliveryService];
    const subscribers = [await aSubscriber(), await aSubscriber(), await aSubscriber(), await aSubscriber()];
    const all = await Promise.all(subscribers.map((subscriber) => subscribe(service, subscriber)));
    const changes = many(150);
    for (let at = 0; at < changes.length; at += 10) await service.publish(...changes.slice(at, at + 10));
    for (const to of all) await untilAll(service, to, 'delivered');
    for (const subscriber of subscribers) {
      const ids = subscriber.notifications.map(({ headers }) => headers['webhook-id']);
      expect([ids.length, new Set(ids).size]).toEqual([150, 150]);
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
    const service = await aService({ WEBHOOK_RETRY_SECONDS: '600,600,600' });
    const subscriber = await aSubscriber();
    const to = await subscribe(service, subscriber);
    subscriber.behave(answers(500));
    await service.publish(aPublishedChange());
    await eventually('tried', async () => (await deliveriesOf(service, to))[0]?.attempts.length === 1);
    expect(await service.subscriptions.remove(to.clientId, to.id)).toBe(true);
    await service.publish(aPublishedChange());
    await untilAll(service, to, 'dropped');
    expect(await deliveriesOf(service, to)).toMatchObject([{ status: 'dropped', nextAttemptAt: null }]);
    await sleep(1_500);
    expect(subscriber.notifications).toHaveLength(1);
  });

  it('finds what a process left that died, once its lease has run out', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    const to = await subscribe(service, subscriber);
    const beganMs = performance.now();
    await database().query(sql`
      update webhook_subscription set claim_token = gen_random_uuid(), claimed_until = now() + interval '2 seconds'`);
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
    await service.close(HANG_MS);
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
      const beganMs = now();
      await service.publish(aPublishedChange());
      await untilAll(service, to, 'delivered');
      const sentAt = subscriber.notifications.map(({ headers }) => Number(headers['webhook-timestamp']) * 1_000);
      // In whole seconds.
      for (const at of sentAt) expect([at > beganMs - 2_000, at < now() + 1_000]).toEqual([true, true]);
    } finally {
      Date.now = now;
    }
  });

  it('keeps a subscription on which nothing is due for a moment only, however often it is woken', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    const to = await subscribe(service, subscriber);
    await service.publish(aPublishedChange());
    await untilAll(service, to, 'delivered');
    const waking = setInterval(() => {
      service.app.get(Deliveries).wake();
    }, 300);
    try {
      await eventually('nothing is claimed', async () => {
        const claimed = await database().query(sql`select from webhook_subscription where claim_token is not null`);
        return claimed.length === 0;
      });
    } finally {
      clearInterval(waking);
    }
  });
}

/** What holds of Bull alone. */
function ofBull({ aService, aSubscriber, aRedis }: Openings): void {
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
    await eventually('all', () => new Set(subscriber.notifications.map(({ body }) => body.toString())).size === 300);
    expect(subscriber.notifications).toHaveLength(300);
  });

  it('is woken by a job of another process', async () => {
    const own = await aRedis();
    const [service, other] = [await aService({ REDIS_URL: own.url }), await aService({ REDIS_URL: own.url })];
    await eventually('both are there', () => [service, other].every(({ app }) => app.get(Deliveries).state === 'up'));
    const wakes = [service, other].map(({ app }) => jest.spyOn(app.get(Deliveries), 'wake'));
    const queue = service.app.get<Queue>(getQueueToken(WAKE_UPS_QUEUE), { strict: false });
    await eventually('each is woken', async () => {
      await queue.add({}, { removeOnComplete: true });
      return wakes.every((wake) => wake.mock.calls.length > 0);
    });
  });

  it('delivers while somebody has paused the queue in Redis, and says so', async () => {
    const own = await aRedis();
    const service = await aService({ REDIS_URL: own.url });
    const deliveries = service.app.get(Deliveries);
    const subscriber = await aSubscriber();
    await subscribe(service, subscriber);
    await eventually('jobs go through Redis', () => deliveries.state === 'up');
    const queue = service.app.get<Queue>(getQueueToken(WAKE_UPS_QUEUE), { strict: false });
    await queue.pause();
    await service.publish(aPublishedChange());
    await eventually('delivered', () => subscriber.notifications.length === 1);
    await eventually('it says so', () => deliveries.state === 'degraded');
    await queue.resume();
    await eventually('jobs go through Redis again', () => deliveries.state === 'up');
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
    await eventually('jobs go through Redis', () => service.app.get(Deliveries).state === 'up');
    await service.publish(...many(3));
    await eventually('delivered', () => subscriber.notifications.length === 3);
    const seen = (await Promise.all(dumps)).join('\n');
    expect(seen).toContain(WAKE_UPS_QUEUE);
    for (const text of ['Chilufya', 'payload', 'hmac', subscriber.url(), key]) expect(seen).not.toContain(text);
    await eventually('nothing is left', async () => !/webhook-wake-ups:\d{5,} /.test(await own.dump()));
  });
}

ofBothDispatches(contract, (opens) => {
  deliveryContract(opens);
  ofBull(opens);
});
