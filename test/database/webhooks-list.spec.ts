import { sql } from '../../src/sql/sql.js';
import type { Uuid } from '../../src/domain/uuid.js';
import { withinBounds } from '../../src/webhooks/subscriptions/subscription-bounds.js';
import { SubscriptionPortions } from '../../src/webhooks/subscriptions/subscription-portions.js';
import { removeWebhooks } from '../support/remove-webhooks.js';
import { exact } from '../support/value-conditions.js';
import type { TestClient, WebhookService } from '../support/webhook-routes.js';
import { askingWebhooks, startWebhookService } from '../support/webhook-routes.js';

let service: WebhookService;
let client: TestClient;

beforeAll(async () => {
  service = await startWebhookService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await aClient(['webhook']);
});
afterEach(() => removeWebhooks(service.test));

const { aClient, entries, subscribe } = askingWebhooks(() => ({ ...service, client }));

/** Of the same moment by sevens, which a portion may end between. */
const subscribeMany = (count: number, callbackLength: number): Promise<unknown> =>
  service.test.database.query(sql`
    insert into webhook_subscription (id, client_id, topic, callback, format, query, created_at)
    select gen_random_uuid(), ${client.clientId}, 'BIRTH_REGISTERED',
           rpad('https://example.org/' || n || '/', ${callbackLength}, 'x'), 'standard',
           case n % 3 when 0 then '{"clauses": [{"eventType": "birth"}]}'::jsonb end,
           '2026-01-01'::timestamptz + n / 7 * interval '1 microsecond'
      from generate_series(1, ${count}) n`);

const storedIds = async (): Promise<readonly string[]> =>
  (
    await service.test.database.query<{ readonly id: string }>(
      sql`select id from webhook_subscription where client_id = ${client.clientId} order by created_at, id`,
    )
  ).map(({ id }) => id);

describe('the list of a client’s subscriptions', () => {
  it('has all of them as they were made', async () => {
    const query = { type: 'and', clauses: [{ data: { 'child.name': exact('Ann "é"') } }] };
    await subscribe();
    await subscribe({ callback: service.subscriber.url('/second'), format: 'opencrvs-1x', query });
    const common = {
      id: expect.any(String) as string,
      createdAt: expect.stringMatching(/Z$/) as string,
      createdBy: { client_id: client.clientId, type: 'api', username: 'A client', name: 'A client' },
      topic: 'BIRTH_REGISTERED',
      status: 'active',
    };
    expect(await entries()).toEqual([
      { ...common, callback: service.subscriber.url() },
      { ...common, callback: service.subscriber.url('/second'), format: 'opencrvs-1x', query },
    ]);
  });

  it('is sent in parts where it is long, each once and the oldest first', async () => {
    await subscribeMany(3_000, 2_000);
    const response = await fetch(`${service.urls.public}/webhooks`, {
      headers: { authorization: `Bearer ${client.token}` },
    });
    expect([response.status, response.headers.get('content-type'), response.headers.get('content-length')]).toEqual([
      200,
      'application/json; charset=utf-8',
      null,
    ]);
    const listed = (await response.json()) as { readonly entries: readonly { readonly id: string }[] };
    expect(listed.entries.map(({ id }) => id)).toEqual(await storedIds());
  });

  it('is read in portions that fit into memory', async () => {
    await subscribeMany(1_000, 1_000);
    const portions = new SubscriptionPortions(service.test.database);
    const [ids, sizes]: [Uuid[], number[]] = [[], []];
    for (let portion = await portions.read(client.clientId); ;) {
      ids.push(...portion.subscriptions.map(({ id }) => id));
      sizes.push(
        portion.subscriptions.reduce(
          (sum, { callback, queryText }) => sum + callback.length + (queryText ?? '').length,
          0,
        ),
      );
      if (portion.next === undefined) break;
      portion = await portions.read(client.clientId, portion.next);
    }
    expect(ids).toEqual(await storedIds());
    expect(Math.max(...sizes)).toBeLessThanOrEqual(262_144);
    expect(sizes).toHaveLength(4);
  });

  it('is counted once when there is one more', async () => {
    const statements = await service.test.database.transaction(async (transaction) => {
      const texts: unknown[] = [];
      const counted = {
        query: (statement: Parameters<typeof transaction.query>[0]) => {
          texts.push(statement);
          return transaction.query<never>(statement);
        },
      };
      await withinBounds(counted, client.clientId, () => Promise.resolve({ isNew: true, addedBytes: 0 }));
      return texts.length;
    });
    // Who the client is, and what it has.
    expect(statements).toBe(2);
  });

  it('may be 10,000 long, and what is there may be renewed', async () => {
    await subscribeMany(9_999, 40);
    expect((await subscribe()).status).toBe(202);
    expect((await subscribe()).status).toBe(202);
    expect(await subscribe({ callback: service.subscriber.url('/more') })).toMatchObject({
      status: 400,
      body: { issues: [{ message: 'hub.callback: the client has 10000 subscriptions, and may not have more' }] },
    });
  });
});
