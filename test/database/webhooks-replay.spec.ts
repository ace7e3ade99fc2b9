import type { Caller } from '../../src/kernel/domain/scopes/caller.js';
import { HungUp } from '../../src/platform/queue/hang-up.js';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import type { Instant } from '../../src/kernel/domain/calendar.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { DeliveriesController } from '../../src/webhooks/delivery/deliveries.controller.js';
import { DeliveryLog } from '../../src/webhooks/delivery/delivery-log.js';
import { ReplayDto } from '../../src/webhooks/delivery/deliveries.dto.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { eventually } from '../support/eventually.js';
import type { TestDatabase } from '../support/postgres.js';
import { answers, type ScriptedSubscriber } from '../support/scripted-subscriber.js';
import {
  askingWebhooks,
  makeGood,
  startWebhookService,
  type TestClient,
  type WebhookService,
} from '../support/webhook-routes.js';
import { removeWebhooks } from '../support/remove-webhooks.js';

let service: WebhookService;
let test: TestDatabase;
let subscriber: ScriptedSubscriber;
let client: TestClient;

beforeAll(async () => {
  service = await startWebhookService();
  ({ test, subscriber } = service);
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await aClient(['webhook']);
  makeGood(subscriber);
});
afterEach(() => removeWebhooks(test));

const { aClient, ask, subscribe, entries, trigger, aRegistration } = askingWebhooks(() => ({ ...service, client }));

const [SINCE, UNTIL] = ['2020-01-01T00:00:00Z', '2120-01-01T00:00:00Z'] as readonly string[] as readonly [
  Instant,
  Instant,
];

describe('the deliveries of a subscription', () => {
  const publish = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      await trigger(anEventDocument({ actions: [anAction(), aRegistration()] }));
    }
  };
  interface Page {
    readonly deliveries: readonly {
      readonly id: string;
      readonly status: string;
      readonly attempts: readonly unknown[];
    }[];
    readonly cursor: string | null;
  }
  const page = async (query = ''): Promise<Page> => {
    const [entry] = await entries();
    return (await ask('GET', `/webhooks/${entry?.id ?? ''}/deliveries${query}`, client.token)).body as Page;
  };
  const settled = (count: number, status: string): Promise<void> =>
    eventually(`${count} are ${status}`, async () => (await page(`?status=${status}`)).deliveries.length === count);

  /** Many of the same moment, which a part may end between. */
  const copyAsDead = (count: number): Promise<unknown> =>
    test.database.query(sql`
      insert into webhook_delivery (id, subscription_id, event_id, context_id, head, tail, correlation_id, status,
                                    created_at, sha_secret_generation)
      select gen_random_uuid(), subscription_id, event_id, context_id, head, tail, correlation_id, 'dead',
             created_at + n / 900 * interval '1 microsecond', sha_secret_generation
        from webhook_delivery, generate_series(1, ${count}) n`);
  const dead = async (): Promise<number> =>
    (await test.database.query(sql`select from webhook_delivery where status = 'dead'`)).length;

  it('are listed page by page, the newest first, with what was tried', async () => {
    await subscribe();
    await publish(5);
    await settled(5, 'delivered');
    const whole = await page();
    expect([whole.deliveries.length, whole.cursor]).toEqual([5, null]);
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const one = await page(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      ids.push(...one.deliveries.map(({ id }) => id));
      ({ cursor } = one);
    }
    expect(ids).toEqual(whole.deliveries.map(({ id }) => id));
    expect(whole.deliveries[0]?.attempts).toMatchObject([{ status: 200, error: null, response: '' }]);
  });

  it('are made again, one or those of a time, with the same bytes', async () => {
    subscriber.behave(answers(500));
    await subscribe();
    await publish(2);
    await settled(2, 'dead');
    subscriber.behave(answers(200));
    subscriber.forget();
    const [entry] = await entries();
    const base = `/webhooks/${entry?.id ?? ''}`;
    const [newest] = (await page()).deliveries;
    const one = `${base}/deliveries/${newest?.id ?? ''}/replay`;
    expect(await ask('POST', one, client.token)).toEqual({ status: 202, body: undefined });
    await settled(1, 'delivered');
    const time = { since: SINCE, until: UNTIL };
    expect(await ask('POST', `${base}/replay`, client.token, time)).toEqual({ status: 202, body: { replayed: 1 } });
    await settled(2, 'delivered');
    expect(subscriber.notifications).toHaveLength(2);

    expect((await ask('POST', `${base}/deliveries/${aUuid()}/replay`, client.token)).status).toBe(404);
    expect((await ask('POST', `${base}/replay`, client.token, {})).status).toBe(400);
    expect((await ask('GET', `${base}/deliveries?limit=0`, client.token)).status).toBe(400);
    const other = await aClient(['webhook']);
    expect((await ask('POST', one, other.token)).status).toBe(404);
    expect((await ask('GET', `${base}/deliveries`, other.token)).status).toBe(404);
  });

  it('are made again in parts where they are very many, each of them once, and the audit log says so', async () => {
    await subscribe();
    await publish(1);
    await settled(1, 'delivered');
    const [delivery = { id: '' }] = (await page()).deliveries;
    await copyAsDead(2_010);
    const time = { since: SINCE, until: UNTIL };
    const [{ id } = { id: '' }] = await entries();
    const answer = await ask('POST', `/webhooks/${id}/replay`, client.token, time);
    expect(answer).toEqual({ status: 202, body: { replayed: 2_010 } });
    const ofThat = { since: UNTIL, until: UNTIL };
    expect(await ask('POST', `/webhooks/${id}/replay`, client.token, ofThat)).toMatchObject({ body: { replayed: 0 } });
    expect((await ask('POST', `/webhooks/${id}/deliveries/${delivery.id}/replay`, client.token)).status).toBe(202);
    expect((await ask('POST', `/webhooks/${id}/deliveries/${aUuid()}/replay`, client.token)).status).toBe(404);
    const rows = await test.database.query(sql`
      select client_type as type, request_data as asked, response_summary ->> 'replayed' as replayed from audit_log
       where client_id = ${client.clientId} and operation = 'webhooks.replay' order by created_at`);
    const instant = (text: string): string => new Date(text).toISOString();
    const [within, beyond] = [time, ofThat].map(({ since, until }) => ({
      ...{ id, since: instant(since), until: instant(until), status: 'dead' },
    }));
    expect(rows).toEqual([
      ...['1000', '1000', '10'].map((replayed) => ({ type: 'system', asked: within, replayed })),
      { type: 'system', asked: beyond, replayed: '0' },
      { type: 'system', asked: { id, deliveryId: delivery.id }, replayed: '1' },
    ]);
  });

  it('are not made again any further when their client hangs up', async () => {
    await subscribe();
    await publish(1);
    await settled(1, 'delivered');
    await copyAsDead(3_010);
    const [entry = { id: '' }] = await entries();
    const caller: Caller = { subject: client.clientId, userType: 'system', scopes: ['webhook'], grants: [] };
    const hungUp = new AbortController();
    // The last of the second part is held, so that the client hangs up while that part is made.
    const replayed = await test.database.transaction(async (transaction) => {
      await transaction.query(sql`
        select from webhook_delivery where id = (
          select id from webhook_delivery where status = 'dead' order by created_at, id offset 1999 limit 1
        ) for update`);
      const replay = service.app
        .get(DeliveriesController, { strict: false })
        .replay(entry.id, Object.assign(new ReplayDto(), { since: SINCE, until: UNTIL }), caller, hungUp.signal)
        .catch((error: unknown) => error);
      await eventually('the first part is made', async () => (await dead()) === 2_010);
      hungUp.abort(new HungUp());
      // Not awaited here: it waits for this transaction.
      return { outcome: replay };
    });
    expect([await replayed.outcome, await dead()]).toEqual([expect.any(HungUp), 1_010]);
  });

  it('come in shorter pages where their attempts are long, and none is left out', async () => {
    await subscribe();
    await publish(1);
    await settled(1, 'delivered');
    await copyAsDead(300);
    await test.database.query(sql`
      insert into webhook_attempt (delivery_id, at, duration_ms, status, response)
      select id, now() - n * interval '1 minute', n, 500, repeat('x', 1024)
        from webhook_delivery, generate_series(1, 20) n where status = 'dead'`);
    const pages: Page[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const one: Page = await page(`?status=dead&limit=1000${cursor === '' ? '' : `&cursor=${cursor}`}`);
      pages.push(one);
      ({ cursor } = one);
    }
    const most = Math.max(...pages.map((one) => JSON.stringify(one).length));
    expect(most).toBeLessThan(2_200_000);
    const all = pages.flatMap(({ deliveries }) => deliveries);
    const stored = await test.database.query<{ readonly id: string }>(
      sql`select id from webhook_delivery where status = 'dead' order by created_at desc, id desc`,
    );
    expect(all.map(({ id, attempts }) => [id, attempts.length])).toEqual(stored.map(({ id }) => [id, 20]));
  });

  it('show and keep their latest attempts, however often they are made again', async () => {
    await subscribe();
    await publish(1);
    await settled(1, 'delivered');
    const [entry = { id: '' }] = await entries();
    const [delivery = { id: '' }] = (await page()).deliveries;
    // From here on nothing is sent.
    await test.database.query(sql`update webhook_subscription set status = 'disabled' where id = ${entry.id}`);
    await test.database.query(sql`
      insert into webhook_attempt (delivery_id, at, duration_ms, status)
      select ${delivery.id}, now() - n * interval '1 minute', n, 500 from generate_series(1, 150) n`);
    expect((await page()).deliveries[0]?.attempts).toEqual([
      ...Array.from({ length: 19 }, (_, at) => expect.objectContaining({ durationMs: 19 - at, status: 500 }) as object),
      expect.objectContaining({ status: 200 }),
    ]);
    const log = service.app.get(DeliveryLog, { strict: false });
    const replayed = async (): Promise<unknown> => [
      await log.replayOne(entry.id as Uuid, delivery.id as Uuid, CLI),
      await test.database.query(sql`
        select failures, next_attempt_at, xmin::text,
               (select count(*)::int from webhook_attempt where delivery_id = d.id) as attempts
          from webhook_delivery d where id = ${delivery.id}`),
    ];
    const first = await replayed();
    expect(first).toEqual([true, [expect.objectContaining({ failures: 0, attempts: 100 })]]);
    // It waits to be made: asking for it again changes nothing.
    expect(await replayed()).toEqual(first);
  });

  it('are not made again for a subscription that has ended', async () => {
    subscriber.behave(answers(410));
    await subscribe();
    await publish(1);
    await settled(1, 'dropped');
    const [entry] = await entries();
    expect(entry).toMatchObject({ status: 'ended' });
    const [delivery] = (await page()).deliveries;
    const path = `/webhooks/${entry?.id ?? ''}/deliveries/${delivery?.id ?? ''}/replay`;
    expect((await ask('POST', path, client.token)).status).toBe(409);
    subscriber.behave(answers(200));
    await subscribe();
    expect((await ask('POST', path, client.token)).status).toBe(202);
    await settled(1, 'delivered');
  });
});
