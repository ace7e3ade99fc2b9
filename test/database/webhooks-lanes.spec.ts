import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { CLI } from '../../src/audit/audit-entry.js';
import { ChangeFeed } from '../../src/database/connection/change-feed.js';
import { Primary } from '../../src/database/connection/primary.js';
import { SessionLock } from '../../src/database/connection/session-lock.js';
import type { Uuid } from '../../src/domain/uuid.js';
import { sql } from '../../src/sql/sql.js';
import { Deliveries } from '../../src/webhooks/delivery/deliveries.js';
import type { Pace } from '../../src/webhooks/delivery/lanes/lane-pace.js';
import { Lanes } from '../../src/webhooks/delivery/lanes/lanes.js';
import type { PublishedChange } from '../../src/webhooks/delivery/publisher.js';
import { Publisher } from '../../src/webhooks/delivery/publisher.js';
import { aPublishedChange } from '../support/builders/a-published-change.js';
import type { DeliveryService } from '../support/delivery-service.js';
import { startDeliveryService } from '../support/delivery-service.js';
import { eventually } from '../support/eventually.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';
import type { ScriptedSubscriber } from '../support/scripted-subscriber.js';
import { answers, hangs, inTurn, startScriptedSubscriber } from '../support/scripted-subscriber.js';

/** Nothing runs out while a test waits for something else. */
const PATIENT = { WEBHOOK_TIMEOUT_SECONDS: '60', WEBHOOK_LEASE_SECONDS: '70', WEBHOOK_RETRY_SECONDS: '0.1,0.1,0.1' };
const FAR_AWAY = { url: (): string => 'https://127.0.0.1:1/' };

interface Subscribed {
  readonly clientId: Uuid;
  readonly id: Uuid;
}

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

async function aService(more: Readonly<Record<string, string>> = PATIENT): Promise<DeliveryService> {
  const service = await startDeliveryService(test, more);
  opened.push(() => service.close());
  return service;
}

async function aSubscriber(): Promise<ScriptedSubscriber> {
  const subscriber = await startScriptedSubscriber();
  opened.push(() => subscriber.close());
  return subscriber;
}

async function subscribe(service: DeliveryService, to: Pick<ScriptedSubscriber, 'url'>): Promise<Subscribed> {
  const { clientId } = await service.registerClient();
  const callback = to.url();
  await service.subscriptions.subscribe({
    clientId,
    topic: 'BIRTH_REGISTERED',
    callback,
    format: 'standard',
    query: null,
  });
  const [subscription] = await service.subscriptions.ofClient(clientId);
  if (subscription === undefined) throw new Error('not subscribed');
  return { clientId, id: subscription.id };
}

const many = (count: number): PublishedChange[] => Array.from({ length: count }, () => aPublishedChange());

const attempts = (): Promise<{ readonly status: string; readonly errors: readonly string[] }[]> =>
  test.database.query(sql`
    select d.status, array_agg(a.error order by a.at) as errors
      from webhook_delivery d left join webhook_attempt a on a.delivery_id = d.id group by d.id, d.status`);

describe('what is under way on a lane', () => {
  it('is as much as may be while there is work, also of events that come one by one', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    await subscribe(service, subscriber);
    const waiting: ServerResponse[] = [];
    // The first one is answered when a second has come, alone: the lane is never idle, and often has nothing to do.
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

  it('keeps up with twelve events a second that take 200 ms each', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    await subscribe(service, subscriber);
    subscriber.behave((_, answer) => {
      setTimeout(() => answer.writeHead(200).end(), 200);
    });
    const publishedMs: number[] = [];
    const beganMs = performance.now();
    for (let at = 0; at < 60; at += 1) {
      await sleep(Math.max(0, beganMs + (at * 1_000) / 12 - performance.now()));
      await service.publish(aPublishedChange());
      publishedMs.push(performance.now());
    }
    const behind = 60 - subscriber.notifications.length;
    // One at a time would be 24 behind by now.
    expect(behind).toBeLessThan(8);
    await eventually('all', () => subscriber.notifications.length === 60);
  });
});

describe('what is begun no more', () => {
  /** A subscriber with a backlog that takes 100 ms for each of them. */
  async function underWay(service: DeliveryService): Promise<{ subscriber: ScriptedSubscriber; to: Subscribed }> {
    const subscriber = await aSubscriber();
    const to = await subscribe(service, subscriber);
    subscriber.behave((_, answer) => {
      setTimeout(() => answer.writeHead(200).end(), 100);
    });
    await service.publish(...many(400));
    await eventually('under way', () => subscriber.notifications.length > 10);
    return { subscriber, to };
  }

  it.each<[string, (service: DeliveryService, to: Subscribed) => Promise<unknown>]>([
    ['whose subscription is removed', ({ subscriptions }, { clientId, id }) => subscriptions.remove(clientId, id)],
    ['whose client is deactivated', ({ clients }, { clientId }) => clients.setStatus(clientId, 'deactivated', CLI)],
  ])('is all that waits for a subscriber %s, at once in this process', async (_, ends) => {
    const service = await aService();
    const { subscriber, to } = await underWay(service);
    await ends(service, to);
    // What was sent before may still be on its way.
    await sleep(20);
    const begun = subscriber.notifications.length;
    await sleep(1_500);
    expect(begun).toBeLessThan(150);
    expect(subscriber.notifications).toHaveLength(begun);
  });

  it.each<[string, (service: DeliveryService, to: Subscribed) => Promise<unknown>]>([
    ['whose subscription is removed', ({ subscriptions }, { clientId, id }) => subscriptions.remove(clientId, id)],
    ['whose client is deactivated', ({ clients }, { clientId }) => clients.setStatus(clientId, 'deactivated', CLI)],
  ])('is the same of a subscriber %s by a process that is not heard of, within two seconds', async (_, ends) => {
    const service = await aService();
    const { subscriber, to } = await underWay(service);
    await service.app.get(ChangeFeed).stop();
    const other = await startDeliveryService(test, PATIENT);
    opened.push(() => other.close());
    expect(subscriber.notifications.length).toBeLessThan(300);
    await ends(other, to);
    await sleep(2_000);
    const begun = subscriber.notifications.length;
    await sleep(1_500);
    expect(begun).toBeLessThan(400);
    expect(subscriber.notifications).toHaveLength(begun);
  });

  it('is what still waits for its connection when its subscription is removed', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    // Connections come through to the subscriber once the subscription is gone.
    const held: Socket[] = [];
    const gate = createServer((socket) => void held.push(socket)).listen(0, '127.0.0.1');
    await once(gate, 'listening');
    opened.push(async () => {
      for (const socket of held) socket.destroy();
      await new Promise((resolve) => gate.close(resolve));
    });
    const { port } = gate.address() as AddressInfo;
    const to = await subscribe(service, { url: () => subscriber.url().replace(String(subscriber.port), String(port)) });
    await service.publish(aPublishedChange());
    await eventually('it connects', () => held.length === 1);
    await service.subscriptions.remove(to.clientId, to.id);
    for (const socket of held) socket.pipe(connect(subscriber.port, '127.0.0.1')).pipe(socket);
    await eventually('the connection has ended', () => held.every(({ destroyed }) => destroyed));
    expect(subscriber.notifications).toHaveLength(0);
    expect(await attempts()).toEqual([{ status: 'dropped', errors: [null] }]);
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
    await test.database.query(sql`update system_client set sha_secret_sealed = 'not sealed at all'`);
    await test.database.query(sql`update webhook_delivery set status = 'pending', next_attempt_at = now()`);
    await test.database.query(sql`delete from webhook_attempt`);
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

describe('the lock of a process', () => {
  const claims = (): Promise<{ readonly holder: number | null }[]> =>
    test.database.query(sql`select holder from webhook_subscription where claim_token is not null`);
  const keyOf = ({ app }: DeliveryService): number => app.get(SessionLock, { strict: false }).key;

  /** A claim as a process that is gone has left it, with a long lease; null: as an older release makes it. */
  const leave = (holder: number | null): Promise<unknown> =>
    test.database.query(sql`
      update webhook_subscription
         set claim_token = '00000000-0000-4000-8000-000000000009', claimed_until = now() + interval '1 hour',
             holder = ${holder},
             holder_token = ${holder === null ? null : '00000000-0000-4000-8000-000000000009'}::uuid`);

  it('frees what a process held as soon as its end is seen', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    await subscribe(service, subscriber);
    await leave(1);
    const beganMs = performance.now();
    await service.publish(aPublishedChange());
    await eventually('delivered', () => subscriber.notifications.length === 1);
    expect(performance.now() - beganMs).toBeLessThan(5_000);
  });

  it('frees nothing of a process that lives, nor of a release that has none', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    await subscribe(service, subscriber);
    const living = new SessionLock(new Primary(test.url));
    living.start();
    opened.push(() => living.stop());
    await eventually('it lives', () => living.isHeld);
    const lanes = service.app.get(Lanes, { strict: false });
    for (const holder of [living.key, null]) {
      await leave(holder);
      await service.publish(aPublishedChange());
      await lanes.freeOfTheDead(true);
      expect(await claims()).toEqual([{ holder }]);
    }
    expect(subscriber.notifications).toHaveLength(0);
  });

  it('is taken again under the same key when its connection breaks, and what is under way goes on', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    await subscribe(service, subscriber);
    const arrived: ServerResponse[] = [];
    subscriber.behave((_, answer) => void arrived.push(answer));
    await service.publish(...many(3));
    await eventually('under way', () => arrived.length === 3);
    const key = keyOf(service);
    await test.database.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'matricula process' and datname = current_database()`);
    const lock = service.app.get(SessionLock, { strict: false });
    await eventually('it is lost', () => !lock.isHeld);
    await eventually('it is held', () => lock.isHeld);
    expect(await claims()).toEqual([{ holder: key }]);
    await service.publish(aPublishedChange());
    await eventually('the fourth', () => arrived.length === 4);
    for (const answer of arrived) answer.writeHead(200).end();
    await eventually('delivered', async () => (await attempts()).every(({ status }) => status === 'delivered'));
    expect(subscriber.notifications).toHaveLength(4);
  });

  it('is what a process needs to begin anything', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    await subscribe(service, subscriber);
    const arrived: ServerResponse[] = [];
    subscriber.behave((_, answer) => void arrived.push(answer));
    await service.publish(...many(20));
    await eventually('under way', () => arrived.length === 5);
    await service.app.get(SessionLock, { strict: false }).stop();
    for (const answer of arrived) answer.writeHead(200).end();
    await sleep(1_500);
    expect(arrived).toHaveLength(5);
    service.app.get(SessionLock, { strict: false }).start();
    await eventually('it goes on', () => arrived.length === 10);
    subscriber.behave(answers(200));
    for (const answer of arrived.slice(5)) answer.writeHead(200).end();
    await eventually('delivered', async () => (await attempts()).every(({ status }) => status === 'delivered'));
  });
});

describe('what has become due', () => {
  it('is announced after the commit and not within it, many together', async () => {
    const service = await aService();
    await subscribe(service, FAR_AWAY);
    // From here on nobody but the test says anything.
    await service.app.get(Deliveries, { strict: false }).stop(0);
    const client = await new Primary(test.url).connect('listener');
    let heard = 0;
    client.on('notification', () => (heard += 1));
    opened.push(() => client.end());
    await client.query('listen delivery_due');
    const publisher = service.app.get(Publisher);
    for (let count = 0; count < 20; count += 1) {
      await test.database.transaction((transaction) => publisher.publish(transaction, many(1)));
    }
    await client.query('select 1');
    expect(heard).toBe(0);
    for (let count = 0; count < 200; count += 1) publisher.announce();
    await eventually('heard of', () => heard > 0);
    await service.close();
    opened.shift();
    await client.query('select 1');
    expect(heard).toBeLessThanOrEqual(2);
  });

  it('is delivered at once when it is announced', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    await subscribe(service, subscriber);
    const waits: number[] = [];
    for (let count = 1; count <= 7; count += 1) {
      await service.publish(aPublishedChange());
      const publishedMs = performance.now();
      await eventually('delivered', () => subscriber.notifications.length === count);
      waits.push(performance.now() - publishedMs);
      await sleep(150);
    }
    // A look every second would find it after half of one.
    expect(waits.sort((one, other) => one - other)[3]).toBeLessThan(400);
  });
});

describe('who answers soon', () => {
  it('goes first, and who never answers last', async () => {
    const service = await aService({ ...PATIENT, WEBHOOK_TIMEOUT_SECONDS: '1.5' });
    const [quick, slow, failing] = [await aSubscriber(), await aSubscriber(), await aSubscriber()];
    const lanes = { quick: await subscribe(service, quick), slow: await subscribe(service, slow) };
    const unreachable = await subscribe(service, FAR_AWAY);
    const hanging = await subscribe(service, failing);
    failing.behave(hangs);
    slow.behave((_, answer) => {
      setTimeout(() => answer.writeHead(200).end(), 1_100);
    });
    await service.publish(aPublishedChange());
    await eventually('known', async () => {
      const rows = await test.database.query<{ known: number }>(
        sql`select count(slow)::int as known from webhook_subscription`,
      );
      return rows[0]?.known === 4;
    });
    const rows = await test.database.query<{ id: Uuid; slow: boolean; failing: boolean }>(
      sql`select id, slow, failing_since is not null as failing from webhook_subscription`,
    );
    const paceOf = new Map(rows.map(({ id, ...pace }) => [id, pace]));
    expect(paceOf.get(lanes.quick.id)).toEqual({ slow: false, failing: false });
    expect(paceOf.get(lanes.slow.id)).toEqual({ slow: true, failing: false });
    expect(paceOf.get(unreachable.id)).toEqual({ slow: false, failing: true });
    expect(paceOf.get(hanging.id)).toEqual({ slow: true, failing: true });

    // From here on nothing is claimed but by the test.
    await service.app.get(Deliveries, { strict: false }).stop(0);
    const unknown = await subscribe(service, FAR_AWAY);
    await service.publish(aPublishedChange());
    const claimed = async (most: number, slowest: Pace): Promise<readonly Uuid[]> =>
      (await service.app.get(Lanes, { strict: false }).claim(most, slowest)).map(
        ({ subscriptionId }) => subscriptionId,
      );
    expect(await claimed(1, 'slow')).toEqual([lanes.quick.id]);
    expect(await claimed(10, 'quick')).toEqual([]);
    expect(await claimed(10, 'unknown')).toEqual([unknown.id]);
    expect(new Set(await claimed(10, 'slow'))).toEqual(new Set([lanes.slow.id, unreachable.id, hanging.id]));
  });
});
