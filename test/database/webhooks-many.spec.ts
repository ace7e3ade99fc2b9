import { ServiceError } from '../../src/kernel/errors/service-error.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import type { Topic } from '../../src/kernel/domain/life-cycle/topic.js';
import { aPublishedChange } from '../support/builders/a-published-change.js';
import { type DeliveryService, startDeliveryService } from '../support/delivery-service.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

describe('a change that thousands have subscribed to', () => {
  it('is written down once, with a signed delivery for each of them', async () => {
    const test = await createTestDatabase();
    const service = await startDeliveryService(test);
    try {
      const { clientId } = await service.registerClient();
      // Disabled: what is published is kept, and not delivered.
      await test.database.query(sql`
        insert into webhook_subscription (id, client_id, topic, callback, format, status)
        select gen_random_uuid(), ${clientId}, 'BIRTH_REGISTERED', 'https://example.org/' || number,
               case number % 2 when 0 then 'standard' else 'opencrvs-1x' end, 'disabled'
          from generate_series(1, 2500) number`);
      await service.publish(aPublishedChange(), aPublishedChange());

      const written = await test.database.query(sql`
        select s.format, count(*)::int as deliveries, count(distinct d.subscription_id)::int as subscriptions,
               count(distinct d.context_id)::int as contexts, count(distinct substring(d.head from '"hmac":"[^"]+"'))::int as signatures,
               bool_and(d.head like '%' || d.id || '%' or s.format <> 'standard') as named
          from webhook_delivery d join webhook_subscription s on s.id = d.subscription_id
         group by s.format order by s.format`);
      expect(written).toEqual([
        { format: 'opencrvs-1x', deliveries: 2_500, subscriptions: 1_250, contexts: 2, signatures: 0, named: true },
        { format: 'standard', deliveries: 2_500, subscriptions: 1_250, contexts: 2, signatures: 2, named: true },
      ]);
      expect(await test.database.query(sql`select count(*)::int as contexts from webhook_context`)).toEqual([
        { contexts: 4 },
      ]);
    } finally {
      await service.close();
      await test.drop();
    }
  });
});

describe('filters', () => {
  let test: TestDatabase;
  let service: DeliveryService;
  let clientId: Uuid;

  beforeAll(async () => {
    test = await createTestDatabase();
    service = await startDeliveryService(test);
  });
  afterAll(async () => {
    await service.close();
    await test.drop();
  });
  beforeEach(async () => {
    await test.database.query(sql`delete from webhook_subscription`);
    ({ clientId } = await service.registerClient());
  });

  /** Resolves with the refusal, if there is one. */
  const subscribe = (number: number, query: unknown, topic: Topic = 'BIRTH_REGISTERED', of = clientId) =>
    service.subscriptions
      .subscribe({ clientId: of, topic, callback: `https://example.org/${number}`, format: undefined, query })
      .catch((error: unknown) => (error instanceof ServiceError ? error.issues[0]?.message : error));

  const addFilters = (count: number, of: Uuid, topic: Topic): Promise<unknown> =>
    test.database.query(sql`
      insert into webhook_subscription (id, client_id, topic, callback, format, query)
      select gen_random_uuid(), ${of}, ${topic}, 'https://example.org/' || number, 'standard', '{"clauses": []}'
        from generate_series(1, ${count}) number`);

  it('are at most 100 of a client, however many requests come at once; a renewal is none more', async () => {
    await addFilters(97, clientId, 'BIRTH_REGISTERED');
    const full = 'hub.query: the client has 100 filters, and may not have more';
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        subscribe(500 + at, {}, at % 2 === 0 ? 'BIRTH_REGISTERED' : 'DEATH_REGISTERED'),
      ),
    );
    expect(outcomes.filter((outcome) => outcome !== undefined)).toEqual([full, full, full]);
    expect(await subscribe(1, { clauses: [{}] })).toBeUndefined();
    expect(await subscribe(200, null)).toBeUndefined();
    expect(await subscribe(200, {})).toBe(full);
    expect(await subscribe(1, null)).toBeUndefined();
    expect(await subscribe(200, {})).toBeUndefined();
  });

  it('are at most 1,000 on a topic, of all clients, those apart that have ended', async () => {
    const full = 'hub.query: BIRTH_REGISTERED has 1000 filters of all clients, and may not have more';
    const others = await Promise.all(Array.from({ length: 2 }, () => service.registerClient()));
    await addFilters(998, others[0]?.clientId ?? clientId, 'BIRTH_REGISTERED');
    const outcomes = await Promise.all(
      [clientId, others[1]?.clientId ?? clientId].flatMap((of) => [
        subscribe(1_001, {}, 'BIRTH_REGISTERED', of),
        subscribe(1_002, {}, 'BIRTH_REGISTERED', of),
      ]),
    );
    expect(outcomes.filter((outcome) => outcome !== undefined)).toEqual([full, full]);
    expect(await subscribe(1_003, {}, 'DEATH_REGISTERED')).toBeUndefined();
    expect(await subscribe(1_003, {})).toBe(full);
    await test.database.query(
      sql`update webhook_subscription set status = 'ended' where callback = 'https://example.org/1'`,
    );
    expect(await subscribe(1_003, {})).toBeUndefined();
  });

  it('have at most 1 MiB of a client and 2 MiB on a topic together', async () => {
    const text = (kilobytes: number): object => ({ text: 'x'.repeat(1_024 * kilobytes) });
    const full = (whose: string, most: number): unknown =>
      expect.stringMatching(
        new RegExp(`^hub\\.query: the filters of ${whose} have \\d+ bytes together, and may have ${most}$`),
      );
    expect(await subscribe(1, text(1_000))).toBeUndefined();
    expect(await subscribe(2, text(100), 'DEATH_REGISTERED')).toEqual(full('the client', 1_048_576));
    expect(await subscribe(1, text(900))).toBeUndefined();
    expect(await subscribe(2, text(100), 'DEATH_REGISTERED')).toBeUndefined();
    const [other, third] = [await service.registerClient(), await service.registerClient()];
    expect(await subscribe(1, text(1_000), 'BIRTH_REGISTERED', other.clientId)).toBeUndefined();
    expect(await subscribe(1, text(200), 'BIRTH_REGISTERED', third.clientId)).toEqual(
      full('BIRTH_REGISTERED', 2_097_152),
    );
    expect(await subscribe(1, text(100), 'BIRTH_REGISTERED', third.clientId)).toBeUndefined();
  });
});
