import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { Primary } from '../../src/platform/database/connection/primary.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { OutboundClient } from '../../src/platform/outbound/outbound-client.js';
import { SLOW_MS } from '../../src/platform/outbox/leases.js';
import { Pause } from '../../src/platform/outbox/outbox-engine.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { Deliveries } from '../../src/webhooks/delivery/deliveries.js';
import { DeliveryClaims } from '../../src/webhooks/delivery/delivery-claims.js';
import { Publisher } from '../../src/webhooks/delivery/publisher.js';
import { aPublishedChange } from '../support/builders/a-published-change.js';
import { FAR_AWAY, many, openings, subscribe } from '../support/deliveries.js';
import { eventually } from '../support/eventually.js';
import { answers, inTurn, resets } from '../support/scripted-subscriber.js';
import { HANG_MS } from '../support/time-outs.js';

afterEach(() => {
  jest.restoreAllMocks();
});

const BEGIN = Reflect.get(Pause.prototype, 'begin');

/** Exchanges with these ports take as long as the test says, all others no time, however busy the machine is. */
function exchangesTake(msByPort: Readonly<Record<string, number>>): void {
  const exchange = Reflect.get(OutboundClient.prototype, 'exchange');
  jest.spyOn(OutboundClient.prototype, 'exchange').mockImplementation(async function (this: OutboundClient, asked) {
    return { ...(await exchange.call(this, asked)), durationMs: msByPort[asked.url.port] ?? 0 };
  });
}

const { database, url, aService, aSubscriber, closeAfter, attempts } = openings(() => ({}));

describe('what is under way to a subscription', () => {
  it('is as much as may be while there is work, also of events that come one by one', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    await subscribe(service, subscriber);
    const waiting: ServerResponse[] = [];
    // The first one is answered when a second has come, alone: the session is never idle, and often has nothing to do.
    subscriber.behave((_, answer) => void waiting.push(answer));
    for (let round = 0; round < 10; round += 1) {
      await service.publish(aPublishedChange());
      await eventually('it has come', () => waiting.length === 1);
      waiting.pop()?.writeHead(200).end();
    }
    for (let count = 1; count <= 5; count += 1) {
      await service.publish(aPublishedChange());
      await eventually(`${count} are under way`, () => waiting.length === count);
    }
    await service.publish(aPublishedChange());
    await sleep(300);
    expect(waiting).toHaveLength(5);
    subscriber.behave(answers(200));
    for (const answer of waiting) answer.writeHead(200).end();
    await eventually('all', () => subscriber.notifications.length === 16);
  });

  it('keeps up with events of which each takes as long as three others to come', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    await subscribe(service, subscriber);
    const waiting: ServerResponse[] = [];
    subscriber.behave((_, answer) => void waiting.push(answer));
    for (let count = 1; count <= 60; count += 1) {
      await service.publish(aPublishedChange());
      // Though those before it are not answered: one at a time would come no further.
      await eventually(`${count} have come`, () => subscriber.notifications.length === count);
      if (count > 3) waiting.shift()?.writeHead(200).end();
    }
    for (const answer of waiting) answer.writeHead(200).end();
  });
});

describe('an attempt that fails on our side', () => {
  it('is noted, and comes to its end as any other', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    await subscribe(service, subscriber);
    await service.publish(aPublishedChange());
    // Once it is noted: the note of a delivery that is made due again before would end it.
    await eventually('delivered', async () => (await attempts())[0]?.status === 'delivered');
    // Its own secret is lost. That of its subscription is not, or the subscription would wait.
    await database().query(sql`
      insert into replaced_sha_secret (client_id, generation, sealed)
      select client_id, 0, 'not sealed at all' from webhook_subscription`);
    await database().query(sql`update system_client set sha_secret_generation = 1`);
    await database().query(sql`update webhook_subscription set sha_secret_generation = 1`);
    await database().query(sql`delete from webhook_attempt`);
    await database().query(sql`update webhook_delivery set status = 'pending', next_attempt_at = now()`);
    await eventually('dead', async () => (await attempts())[0]?.status === 'dead');
    const [{ errors } = { errors: [] }] = await attempts();
    expect(errors).toHaveLength(4);
    expect(new Set(errors)).toEqual(new Set(['internal: SealedTextError']));
    expect(subscriber.notifications).toHaveLength(1);
  });

  it('is no attempt of two Retry-After: the longer one is waited for', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    await subscribe(service, subscriber);
    subscriber.behave(
      inTurn((_, answer) => {
        answer.writeHead(503, [
          ['Retry-After', '1'],
          ['Retry-After', '2'],
        ]);
        answer.end();
      }, answers(200)),
    );
    await service.publish(aPublishedChange());
    await eventually('again', () => subscriber.notifications.length === 2);
    const [first, second] = subscriber.notifications.map(({ atMs }) => atMs);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(2_000);
  });
});

describe('what has become due', () => {
  it('is announced after the commit and not within it, many together', async () => {
    const service = await aService();
    await subscribe(service, FAR_AWAY);
    // From here on nobody but the test says anything.
    await service.app.get(Deliveries, { strict: false }).stop(0);
    const client = await new Primary(url()).connect('listener');
    let heard = 0;
    client.on('notification', () => (heard += 1));
    closeAfter(() => client.end());
    await client.query('listen delivery_due');
    const publisher = service.app.get(Publisher);
    for (let count = 0; count < 20; count += 1) {
      await database().transaction((transaction) => publisher.publish(transaction, many(1)));
    }
    await client.query('select 1');
    expect(heard).toBe(0);
    for (let count = 0; count < 200; count += 1) publisher.announceAll();
    await eventually('heard of', () => heard > 0);
    await service.close();
    await client.query('select 1');
    expect(heard).toBeLessThanOrEqual(2);
  });

  it('is delivered when it is announced, before anybody looks for it', async () => {
    // Claims are made when something is announced, and otherwise as good as never.
    const begin = (pause: Pause, leastMs: number): Promise<void> => BEGIN.call(pause, leastMs, 10 * HANG_MS);
    jest.spyOn(Pause.prototype, 'begin').mockImplementation(function (this: Pause, leastMs) {
      return begin(this, leastMs);
    });
    // What one publishes for a subscription that the other has claimed is the other's to deliver.
    const one = await aService({ WEBHOOK_LEASE_SECONDS: '600' });
    const other = await aService({ WEBHOOK_LEASE_SECONDS: '600' });
    // Nor does a confirmation of claims find anything due.
    for (const { app } of [one, other]) {
      const claims = app.get(DeliveryClaims, { strict: false });
      const confirm = claims.confirm.bind(claims);
      jest.spyOn(claims, 'confirm').mockImplementation(async (...asked) => {
        const found = await confirm(...asked);
        return new Map([...found].map(([token, standing]) => [token, { ...standing, isDue: false }]));
      });
    }
    const subscriber = await aSubscriber();
    await subscribe(one, subscriber);
    for (let count = 1; count <= 8; count += 1) {
      await (count % 2 === 0 ? one : other).publish(aPublishedChange());
      await eventually('delivered', () => subscriber.notifications.length === count);
      await sleep(150);
    }
  });
});

describe('who answers soon', () => {
  it('is told from who answers late, and from who has not been asked', async () => {
    const service = await aService({ WEBHOOK_RETRY_SECONDS: '600' });
    const [quick, slow, failing] = [await aSubscriber(), await aSubscriber(), await aSubscriber()];
    const to = { quick: await subscribe(service, quick), slow: await subscribe(service, slow) };
    const unreachable = await subscribe(service, FAR_AWAY);
    const hanging = await subscribe(service, failing);
    failing.behave(resets);
    exchangesTake({ [slow.port]: SLOW_MS, [failing.port]: 60_000 });
    await service.publish(aPublishedChange());
    await eventually('recorded, and let go of', async () => {
      const [left] = await database().query<{ due: number; held: number }>(sql`
        select (select count(*)::int from webhook_delivery where status = 'pending' and next_attempt_at <= now()) as due,
               (select count(claim_token)::int from webhook_subscription) as held`);
      return left?.due === 0 && left.held === 0;
    });
    const rows = await database().query<{ id: Uuid; slow: boolean; failing: boolean }>(
      sql`select id, slow, failing_since is not null as failing from webhook_subscription`,
    );
    expect(new Map(rows.map(({ id, ...pace }) => [id, pace]))).toEqual(
      new Map([
        [to.quick.id, { slow: false, failing: false }],
        [to.slow.id, { slow: true, failing: false }],
        [unreachable.id, { slow: false, failing: true }],
        [hanging.id, { slow: true, failing: true }],
      ]),
    );
    // From here on nothing is claimed but by the test.
    await service.app.get(Deliveries, { strict: false }).stop(0);
    const unknown = await subscribe(service, FAR_AWAY);
    await service.publish(aPublishedChange());
    const claims = service.app.get(DeliveryClaims, { strict: false });
    const claimed = (await claims.claim(({ pace }) => pace)).map(({ subscriptionId, pace }) => [subscriptionId, pace]);
    expect(new Map(claimed.map(([id, pace]) => [id, pace]))).toEqual(
      new Map([
        [to.quick.id, 'quick'],
        [unknown.id, 'unknown'],
        [to.slow.id, 'slow'],
        [unreachable.id, 'slow'],
        [hanging.id, 'slow'],
      ]),
    );
  });
});
