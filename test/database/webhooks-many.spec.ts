import { ServiceError } from '../../src/errors/service-error.js';
import { sql } from '../../src/sql/sql.js';
import { aPublishedChange } from '../support/builders/a-published-change.js';
import { startDeliveryService } from '../support/delivery-service.js';
import { createTestDatabase } from '../support/postgres.js';

const FULL: unknown = expect.stringMatching(
  /^hub\.query: the filters of the client have \d+ bytes together, and may have 4194304$/,
);

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

describe('what one client subscribes to', () => {
  it('has at most 4 MiB of filters together, however many requests come at once', async () => {
    const test = await createTestDatabase();
    const service = await startDeliveryService(test);
    try {
      const { clientId } = await service.registerClient();
      const subscribe = (number: number, kilobytes: number): Promise<unknown> =>
        service.subscriptions
          .subscribe({
            clientId,
            topic: 'BIRTH_REGISTERED',
            callback: `https://example.org/${number}`,
            format: undefined,
            query: { text: 'x'.repeat(1_024 * kilobytes) },
          })
          .catch((error: unknown) => (error instanceof ServiceError ? error.issues[0]?.message : error));
      const outcomes = await Promise.all(Array.from({ length: 10 }, (_, number) => subscribe(number, 500)));
      const refused = outcomes.filter((outcome) => outcome !== undefined);
      expect(refused).toEqual([FULL, FULL]);
      const [held] = (await service.subscriptions.all()).filter((one) => one.clientId === clientId);
      // A renewal with less is no more.
      expect(await subscribe(Number(held?.callback.at(-1)), 1)).toBeUndefined();
      expect(await subscribe(10, 480)).toBeUndefined();
      expect((await service.subscriptions.all()).filter((one) => one.clientId === clientId).length).toBe(9);
    } finally {
      await service.close();
      await test.drop();
    }
  });
});
