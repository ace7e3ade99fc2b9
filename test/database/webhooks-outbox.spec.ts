import { CLI } from '../../src/platform/audit/audit-entry.js';
import { Database } from '../../src/platform/database/pools/database.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { importLocations } from '../../src/auth/locations/import-locations.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { DeliveryUpkeep } from '../../src/webhooks/delivery/delivery-upkeep.js';
import type { Settlement } from '../../src/webhooks/delivery/settlements.js';
import { Settlements } from '../../src/webhooks/delivery/settlements.js';
import { aCalendarDate } from '../support/builders/a-calendar-date.js';
import { aRegisteredStatus } from '../support/builders/a-legal-status.js';
import { aPublishedChange } from '../support/builders/a-published-change.js';
import { aRecord } from '../support/builders/a-record.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { anInstant } from '../support/builders/an-instant.js';
import { subscribe } from '../support/deliveries.js';
import type { DeliveryService } from '../support/delivery-service.js';
import { startDeliveryService } from '../support/delivery-service.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';
import { removeDeliveries, removeWebhooks } from '../support/remove-webhooks.js';

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
  beforeEach(() => removeWebhooks(test));

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

  /** What a process says of an attempt that failed, which does not hold the claim. */
  const aSettlement = (delivery: { readonly subscriptionId: Uuid; readonly deliveryId: Uuid }): Settlement => ({
    ...delivery,
    token: '00000000-0000-4000-8000-000000000000',
    failures: 0,
    atMs: Date.now(),
    note: { durationMs: 1, status: 500, error: null, response: '' },
    verdict: 'retry',
    waitMs: 0,
  });
  const state = (): Promise<unknown[]> =>
    test.database.query(sql`select status, failures, (select count(*)::int from webhook_attempt
      where delivery_id = id) as attempts from webhook_delivery`);
  const note = (what: Settlement): Promise<void> => service.app.get(Settlements, { strict: false }).note(what);

  it('is settled by the holder of the claim alone, but for the truth that something was delivered', async () => {
    const settlement = aSettlement(await aWaitingDelivery());
    await note({ ...settlement, verdict: 'dead' });
    expect(await state()).toEqual([{ status: 'pending', failures: 0, attempts: 1 }]);
    await note({ ...settlement, verdict: 'delivered' });
    expect(await state()).toEqual([{ status: 'delivered', failures: 0, attempts: 2 }]);
    await test.database.query(sql`update webhook_subscription set claim_token = ${settlement.token}`);
    await note(settlement);
    expect(await state()).toEqual([{ status: 'delivered', failures: 0, attempts: 3 }]);
  });

  it.each(['dead', 'dropped'])('that became %s while its subscriber acknowledged it was delivered', async (status) => {
    const settlement = aSettlement(await aWaitingDelivery());
    await test.database.query(sql`update webhook_delivery set status = ${status}, next_attempt_at = null`);
    await note({ ...settlement, verdict: 'delivered' });
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
      await note(settlement);
    } finally {
      losing.mockRestore();
    }
    expect(isLost).toBe(true);
    expect(await state()).toEqual([{ status: 'pending', failures: 1, attempts: 1 }]);
  });

  it('records what it is told at the moment when the one before is recorded', async () => {
    const settlement = aSettlement(await aWaitingDelivery());
    await note(settlement).then(() => note({ ...settlement, atMs: settlement.atMs + 1 }));
    expect(await state()).toEqual([{ status: 'pending', failures: 0, attempts: 2 }]);
  });

  it.each([
    ['ends', 'its holder is told 410', sql`claim_token = '00000000-0000-4000-8000-000000000000'`, 'ended'],
    ['goes on', 'one that holds it no more is told 410', sql`claim_token = gen_random_uuid()`, 'active'],
    [
      'goes on',
      'it was renewed since the attempt began',
      sql`claim_token = '00000000-0000-4000-8000-000000000000', renewed_at = now() + interval '1 hour'`,
      'active',
    ],
  ])('belongs to a subscription that %s when %s', async (_, __, is, status) => {
    const delivery = await aWaitingDelivery();
    await test.database.query(sql`update webhook_subscription set ${is}`);
    await service.app.get(Settlements, { strict: false }).note({ ...aSettlement(delivery), verdict: 'gone' });
    expect(
      await test.database.query(sql`select s.status, d.status as delivery
      from webhook_subscription s join webhook_delivery d on d.subscription_id = s.id`),
    ).toEqual([{ status, delivery: status === 'ended' ? 'dropped' : 'pending' }]);
  });

  it.each(['retry', 'dead'] as const)('stays replayed though an attempt from before is to %s', async (verdict) => {
    const delivery = await aWaitingDelivery();
    await test.database.query(
      sql`update webhook_subscription set claim_token = '00000000-0000-4000-8000-000000000000'`,
    );
    await test.database.query(sql`update webhook_delivery set failures = 3`);
    await service.log.replayOne(delivery.subscriptionId, delivery.deliveryId, CLI);
    const settlement = { ...aSettlement(delivery), failures: 3, verdict, waitMs: 86_400_000 };
    await note(settlement);
    expect(
      await test.database.query(sql`
      select status, failures, next_attempt_at <= now() as due from webhook_delivery`),
    ).toEqual([{ status: 'pending', failures: 0, due: true }]);
  });

  it('is sent to a subscription that was renewed: its failures before count no more', async () => {
    const delivery = await aWaitingDelivery();
    await test.database.query(sql`
      update system_client set status = 'active';
      update webhook_subscription
         set claim_token = '00000000-0000-4000-8000-000000000000', claimed_until = now() + interval '1 hour',
             failing_since = now() - interval '80 hours'`);
    const [before] = await service.subscriptions.all();
    if (before !== undefined) await service.subscriptions.subscribe({ ...before, format: undefined, query: undefined });
    await service.app.get(Settlements, { strict: false }).note(aSettlement(delivery));
    expect((await service.subscriptions.all()).map(({ status }) => status)).toEqual(['active']);
  });

  it.each([
    ['a failure after 71 hours leaves it active', 71, ['retry'], { status: 'active', hours: 71 }],
    ['a success after 80 hours ends the count', 80, ['delivered', 'retry'], { status: 'active', hours: 0 }],
  ] as const)('counts for how long a subscription fails: %s', async (_, hours, verdicts, expected) => {
    const settlement = aSettlement(await aWaitingDelivery());
    await test.database.query(sql`
      update webhook_subscription
         set claim_token = ${settlement.token}, failing_since = now() - ${hours} * interval '1 hour', slow = false`);
    const settlements = service.app.get(Settlements, { strict: false });
    for (const [at, verdict] of verdicts.entries()) {
      await settlements.note({ ...settlement, atMs: settlement.atMs + at, verdict });
    }
    const subscriptions = await test.database.query(sql`
      select status, round(extract(epoch from now() - failing_since) / 3600)::int as hours from webhook_subscription`);
    expect(subscriptions).toEqual([expected]);
  });

  /** So many more like the one that waits. */
  const copy = (count: number): Promise<unknown> =>
    test.database.query(sql`
      insert into webhook_delivery (id, subscription_id, event_id, context_id, head, tail, correlation_id, status,
                                    next_attempt_at)
      select gen_random_uuid(), subscription_id, event_id, context_id, head, tail, correlation_id, status,
             next_attempt_at
        from webhook_delivery, generate_series(1, ${count})`);
  const counts = (): Promise<unknown[]> =>
    test.database.query(sql`select status, count(*)::int from webhook_delivery group by status order by status`);

  it.each([
    ['are dropped', 'of one that has ended', sql`status = 'ended'`, 'dropped'],
    ['become dead', 'of one that is disabled', sql`status = 'disabled'`, 'dead'],
    ['are dropped', 'of one that is disabled and was removed', sql`status = 'disabled', deleted_at = now()`, 'dropped'],
    ['are left alone', 'of one that is active', sql`status = 'active'`, 'pending'],
  ])('has deliveries that %s: %s, however many they are', async (_, __, state, status) => {
    await aWaitingDelivery();
    await copy(2_500);
    await test.database.query(sql`update webhook_subscription set ${state}`);
    await service.app.get(DeliveryUpkeep, { strict: false }).run();
    expect(await counts()).toEqual([{ status, count: 2_501 }]);
  });

  it('records that a subscription has ended before what waits for it is dropped', async () => {
    const { deliveryId, subscriptionId } = await aWaitingDelivery();
    await copy(1);
    const settlement = aSettlement({ deliveryId, subscriptionId });
    await test.database.query(sql`update webhook_subscription set claim_token = ${settlement.token}`);
    await test.database.transaction(async (transaction) => {
      await transaction.query(sql`select from webhook_delivery where id <> ${deliveryId} for update`);
      await note({ ...settlement, verdict: 'gone' });
      expect(await counts()).toEqual([
        { status: 'dropped', count: 1 },
        { status: 'pending', count: 1 },
      ]);
    });
    await service.app.get(DeliveryUpkeep, { strict: false }).run();
    expect(await counts()).toEqual([{ status: 'dropped', count: 2 }]);
  });

  it('removes what is older than the retention, delivered or not', async () => {
    await aWaitingDelivery();
    await test.database.query(sql`update webhook_context set created_at = now() - interval '25 hours'`);
    await aWaitingDelivery();
    await service.app.get(DeliveryUpkeep, { strict: false }).run();
    const left = await test.database.query(sql`
      select (select count(*)::int from webhook_context) as contexts, (select count(*)::int from webhook_delivery) as deliveries`);
    // Both subscriptions were published to the second time.
    expect(left).toEqual([{ contexts: 1, deliveries: 2 }]);
  });

  it('removes the deliveries of a context in portions, and the context with the last of them', async () => {
    await aWaitingDelivery();
    await copy(5_100);
    await test.database.query(sql`update webhook_context set created_at = now() - interval '25 hours'`);
    const database = service.app.get(Database, { strict: false });
    const querying = jest.spyOn(database, 'query');
    await service.app.get(DeliveryUpkeep, { strict: false }).run();
    const results = await Promise.all(querying.mock.results.map(({ value }) => value as Promise<readonly unknown[]>));
    querying.mockRestore();
    expect(Math.max(...results.map(({ length }) => length))).toBe(5_000);
    expect(await test.database.query(sql`select from webhook_context`)).toEqual([]);
  });

  it('is tidied up though something in it cannot be removed', async () => {
    await aWaitingDelivery();
    await test.database.query(sql`delete from webhook_delivery`);
    await test.database.query(sql`update webhook_context set created_at = now() - interval '25 hours'`);
    await test.database.query(sql`update webhook_subscription set deleted_at = now() - interval '2 hours'`);
    await test.dataSource.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
      create trigger refuse before delete on webhook_context for each row execute function refuse()`);
    try {
      await expect(service.app.get(DeliveryUpkeep, { strict: false }).run()).rejects.toThrow('not now');
      expect(await test.database.query(sql`select from webhook_subscription`)).toEqual([]);
    } finally {
      await test.dataSource.query('drop function refuse() cascade');
    }
  });

  it('names offices and their areas as they were called on the day of the event (L-2)', async () => {
    const [area, office] = [aUuid(1), aUuid(2)];
    const file = (name: string) => ({
      administrativeAreas: [{ id: area, name: 'Ibombo' }],
      locations: [{ id: office, name, partOf: area }],
    });
    for (const [name, day] of [
      ['Ibombo Office', '2020-01-01'],
      ['Ibombo District Office', '2026-02-01'],
    ] as const) {
      await importLocations(test.database, file(name), aCalendarDate(day));
    }
    await subscribe(service, { url: () => 'https://127.0.0.1:1/' });
    const namesOn = async (changes: Partial<EventRecord>): Promise<unknown[]> => {
      await removeDeliveries(test);
      const legalStatuses = { DECLARED: null, REGISTERED: aRegisteredStatus({ createdAtLocation: office }) };
      await service.publish(aPublishedChange({ record: aRecord({ legalStatuses, ...changes }) }));
      const [row] = await test.database.query<{ body: string }>(sql`select body from webhook_context`);
      return [...(row?.body ?? '').matchAll(/"display":"(Ibombo[^"]*)"/g)].map(([, name]) => name);
    };
    const day = (text: string) => ({ dateOfEvent: aCalendarDate(text) });
    expect(await namesOn(day('2026-01-31'))).toEqual(['Ibombo', 'Ibombo Office']);
    expect(await namesOn(day('2026-02-01'))).toEqual(['Ibombo', 'Ibombo District Office']);
    const undated = { dateOfEvent: null, createdAt: anInstant('2026-01-31T23:59:59.000Z') };
    expect(await namesOn(undated)).toEqual(['Ibombo', 'Ibombo Office']);
  });

  it('writes nothing where nobody has subscribed', async () => {
    await service.publish(aPublishedChange());
    expect(await test.database.query(sql`select id from webhook_context`)).toEqual([]);
  });
});
