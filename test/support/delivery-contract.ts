import { createHmac } from 'node:crypto';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { ownHeaders } from '../../src/platform/outbound/outbound-client.js';
import { Publisher } from '../../src/webhooks/delivery/publisher.js';
import { aPublishedChange } from './builders/a-published-change.js';
import { anAction } from './builders/an-action.js';
import { deliveriesOf, type Openings, statusOf, subscribe, untilAll } from './deliveries.js';
import type { DeliveryService } from './delivery-service.js';
import { eventually } from './eventually.js';
import { answers, inTurn, resets } from './scripted-subscriber.js';

/** What holds however deliveries are dispatched (P-3, W-8). */
export function deliveryContract({ database, aService, aSubscriber }: Openings): void {
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
      ...ownHeaders(),
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

  it('goes on in the format that a notification was created in, whatever its subscription asks for by then', async () => {
    const service = await aService();
    const subscriber = await aSubscriber();
    const { clientId, id, key } = await subscribe(service, subscriber);
    subscriber.behave(answers(500));
    await service.publish(aPublishedChange());
    await eventually('failed once', () => subscriber.notifications.length > 0);
    const topic = 'BIRTH_REGISTERED';
    const renewed = { clientId, topic, callback: subscriber.url(), format: 'opencrvs-1x', query: null } as const;
    await service.subscriptions.subscribe(renewed);
    subscriber.behave(answers(200));
    await untilAll(service, { clientId, id, key }, 'delivered');
    await service.publish(aPublishedChange());
    await untilAll(service, { clientId, id, key }, 'delivered');

    const [older, newer] = subscriber.notifications.slice(-2);
    const sha1 = createHmac('sha1', key).update(older?.body ?? '');
    expect(older?.headers['x-hub-signature']).toBe(`sha1=${sha1.digest('hex')}`);
    const signed = `sha256:${encodeURIComponent(newer?.body.toString() ?? '')}`;
    expect(newer?.headers['x-hub-signature']).toBe(`sha256=${createHmac('sha256', key).update(signed).digest('hex')}`);
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
    expect(await service.log.replay(to.id, { ...time, status: 'delivered' }, CLI)).toBe(0);
    expect(await service.log.replay(to.id, { ...time, status: 'dead' }, CLI)).toBe(1);
    await untilAll(service, to, 'delivered');
    expect(dead && (await service.log.replayOne(to.id, dead.id, CLI))).toBe(true);
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
    const renewed = (await service.subscriptions.all()).filter((one) => one.clientId === clientId);
    expect(renewed.map(({ id, status }) => ({ id, status }))).toEqual([{ id: to.id, status: 'active' }]);
    const gap = { since: '2000-01-01T00:00:00.000Z', until: '2100-01-01T00:00:00.000Z', status: 'dead' };
    expect(await service.log.replay(to.id, gap as Parameters<DeliveryService['log']['replay']>[1], CLI)).toBe(2);
    await untilAll(service, to, 'delivered');
  });
}
