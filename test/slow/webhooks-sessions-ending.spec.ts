import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { ChangeFeed } from '../../src/platform/database/connection/change-feed.js';
import { Primary } from '../../src/platform/database/connection/primary.js';
import { SessionLock } from '../../src/platform/database/connection/session-lock.js';
import { Database } from '../../src/platform/database/pools/database.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { OutboundClient } from '../../src/platform/outbound/outbound-client.js';
import { Deliveries } from '../../src/webhooks/delivery/deliveries.js';
import { DueDeliveries } from '../../src/webhooks/delivery/due-deliveries.js';
import { DeliveryClaims } from '../../src/webhooks/delivery/delivery-claims.js';
import { aPublishedChange } from '../support/builders/a-published-change.js';
import { deliveriesOf, many, openings, subscribe, type Subscribed, untilAll } from '../support/deliveries.js';
import type { DeliveryService } from '../support/delivery-service.js';
import { eventually } from '../support/eventually.js';
import { answers, inTurn, type ScriptedSubscriber } from '../support/scripted-subscriber.js';
import { HANG_MS } from '../support/time-outs.js';

const { database, url, aService, aSubscriber, closeAfter, attempts } = openings(() => ({}));

describe('what is begun no more', () => {
  /** A subscriber with a backlog, of which as many are under way as may be until they are answered. */
  async function underWay(
    service: DeliveryService,
  ): Promise<{ subscriber: ScriptedSubscriber; to: Subscribed; answerAll: () => void }> {
    const subscriber = await aSubscriber();
    const to = await subscribe(service, subscriber);
    const held: ServerResponse[] = [];
    subscriber.behave((_, answer) => void held.push(answer));
    await service.publish(...many(400));
    await eventually('under way', () => held.length === 5);
    const answerAll = (): void => {
      subscriber.behave(answers(200));
      for (const answer of held) answer.writeHead(200).end();
    };
    return { subscriber, to, answerAll };
  }

  it('leaves what is asked of whoever subscribes to be answered, when a process ends its deliveries', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    const held: ServerResponse[] = [];
    subscriber.verify((_, answer) => void held.push(answer));
    const client = service.app.get(OutboundClient, { strict: false });
    const asked = client.exchange({ method: 'GET', url: new URL(subscriber.url()), headers: {} });
    await eventually('asked', () => held.length === 1);
    await service.app.get(Deliveries).stop(HANG_MS);
    held[0]?.writeHead(200).end();
    expect(await asked).toMatchObject({ kind: 'answered', status: 200 });
    await service.close();
    const later = await client.exchange({ method: 'GET', url: new URL(subscriber.url()), headers: {} });
    expect([later.kind, held.length]).toEqual(['withdrawn', 1]);
  });

  it('is what was committed to a server that another has taken over from, and that one does not have', async () => {
    const service = await aService({ WEBHOOK_MAX_IN_FLIGHT_PER_SUBSCRIPTION: '1' });
    const subscriber = await aSubscriber();
    const to = await subscribe(service, subscriber);
    await service.publish(...many(1));
    await eventually('it is claimed', () => subscriber.notifications.length === 1);
    const held: ServerResponse[] = [];
    subscriber.behave((_, answer) => held.push(answer));
    await service.publish(...many(1));
    await eventually('one is under way', () => held.length === 1);
    await service.publish(...many(1));
    const [lost] = await deliveriesOf(service, to);
    await database().query(sql`delete from webhook_delivery where id = ${lost?.id}`);
    service.app.get(Database).primary.meet('another');
    subscriber.behave(answers(200));
    held[0]?.writeHead(200).end();
    await service.publish(...many(1));
    await untilAll(service, to, 'delivered');
    const sent = new Set(subscriber.notifications.map(({ headers }) => headers['webhook-id']));
    expect(sent).toEqual(new Set((await deliveriesOf(service, to)).map(({ id }) => id)));
  });

  it.each<[string, (service: DeliveryService, to: Subscribed) => Promise<unknown>]>([
    ['whose subscription is removed', ({ subscriptions }, { clientId, id }) => subscriptions.remove(clientId, id)],
    ['whose client is deactivated', ({ clients }, { clientId }) => clients.setStatus(clientId, 'deactivated', CLI)],
  ])('is all that waits for a subscriber %s, at once in this process', async (_, ends) => {
    const service = await aService();
    const { subscriber, to, answerAll } = await underWay(service);
    await ends(service, to);
    answerAll();
    await sleep(1_500);
    expect(subscriber.notifications).toHaveLength(5);
  });

  it.each<[string, (service: DeliveryService, to: Subscribed) => Promise<unknown>]>([
    ['whose subscription is removed', ({ subscriptions }, { clientId, id }) => subscriptions.remove(clientId, id)],
    ['whose client is deactivated', ({ clients }, { clientId }) => clients.setStatus(clientId, 'deactivated', CLI)],
  ])('is the same of a subscriber %s by a process that is not heard of, within two seconds', async (_, ends) => {
    const service = await aService();
    const { subscriber, to, answerAll } = await underWay(service);
    await service.app.get(ChangeFeed).stop();
    const other = await aService();
    await ends(other, to);
    await sleep(2_000);
    answerAll();
    await sleep(1_500);
    expect(subscriber.notifications).toHaveLength(5);
  });

  it('is what was being claimed when the process stops, which it ends with', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    await subscribe(service, subscriber);
    const outbox = service.app.get(DeliveryClaims, { strict: false });
    const claim = outbox.claim.bind(outbox);
    let stopping: Promise<void> | undefined;
    jest.spyOn(outbox, 'claim').mockImplementation(async (...asked) => {
      const claimed = await claim(...asked);
      if (claimed.length > 0) stopping = service.app.get(Deliveries).stop(HANG_MS);
      return claimed;
    });
    await service.publish(aPublishedChange());
    await eventually('it stops', () => stopping !== undefined);
    await stopping;
    expect(subscriber.notifications).toHaveLength(0);
    expect(await database().query(sql`select claim_token as token from webhook_subscription`)).toEqual([
      { token: null },
    ]);
  });

  it('is what still waits for its connection when its subscription is removed', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    // Connections come through to the subscriber once the subscription is gone.
    const held: Socket[] = [];
    const gate = createServer((socket) => void held.push(socket)).listen(0, '127.0.0.1');
    await once(gate, 'listening');
    closeAfter(async () => {
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

describe('a subscription that could not be released', () => {
  const lost = (): Error => new Error('the connection was lost');

  it('is released a moment later, though its lease has an hour to go', async () => {
    const service = await aService({ WEBHOOK_LEASE_SECONDS: '3600' });
    const subscriber = await aSubscriber();
    const to = await subscribe(service, subscriber);
    const release = jest
      .spyOn(service.app.get(DeliveryClaims, { strict: false }), 'release')
      .mockRejectedValueOnce(lost());
    // Such a subscription is not kept.
    subscriber.behave(inTurn(answers(500), answers(200)));
    await service.publish(aPublishedChange());
    await eventually('it could not be released', () => release.mock.calls.length > 0);
    await untilAll(service, to, 'delivered');
  });

  it('is released as well when what is due could not be read', async () => {
    const service = await aService({ WEBHOOK_LEASE_SECONDS: '3600' });
    const subscriber = await aSubscriber();
    const to = await subscribe(service, subscriber);
    jest.spyOn(service.app.get(DueDeliveries, { strict: false }), 'read').mockRejectedValueOnce(lost());
    await service.publish(aPublishedChange());
    await untilAll(service, to, 'delivered');
  });
});

describe('the lock of a process', () => {
  const claims = (): Promise<{ readonly holder: number | null }[]> =>
    database().query(sql`select holder from webhook_subscription where claim_token is not null`);
  const keyOf = ({ app }: DeliveryService): number => app.get(SessionLock, { strict: false }).key;

  /** A claim as a process that is gone has left it, with a long lease; null: as an older release makes it. */
  const leave = (holder: number | null): Promise<unknown> =>
    database().query(sql`
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
    // Its lease has an hour to go.
    expect(performance.now() - beganMs).toBeLessThan(HANG_MS);
  });

  it('frees nothing of a process that lives, nor of a release that has none', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    await subscribe(service, subscriber);
    const living = new SessionLock(new Primary(url()));
    living.start();
    closeAfter(() => living.stop());
    await eventually('it lives', () => living.isHeld);
    const outbox = service.app.get(DeliveryClaims, { strict: false });
    for (const holder of [living.key, null]) {
      await leave(holder);
      await service.publish(aPublishedChange());
      await outbox.freeOfTheDead(true);
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
    await database().query(sql`
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
