import { sql } from '../../src/kernel/sql/sql.js';
import { withinBounds } from '../../src/webhooks/subscriptions/subscriptions.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { eventually } from '../support/eventually.js';
import { removeWebhooks } from '../support/remove-webhooks.js';
import { exact } from '../support/value-conditions.js';
import {
  askingWebhooks,
  startWebhookService,
  type TestClient,
  type WebhookService,
} from '../support/webhook-routes.js';

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

const { aClient, entries, subscribe, trigger, aRegistration } = askingWebhooks(() => ({ ...service, client }));

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

  it('has one that is renewed under its id', async () => {
    await subscribe();
    const [first] = await entries();
    const query = { clauses: [{ trackingId: { type: 'exact', term: 'ABC123' } }] };
    expect((await subscribe({ format: 'opencrvs-1x', query })).status).toBe(202);
    expect(await entries()).toEqual([{ ...first, format: 'opencrvs-1x', query }]);
    // What is not named is kept: an unmodified receiver of 1.x renews, and cannot name a format.
    expect((await subscribe()).status).toBe(202);
    expect(await entries()).toEqual([{ ...first, format: 'opencrvs-1x', query }]);
    expect((await subscribe({ query: null })).status).toBe(202);
    expect(await entries()).toEqual([{ ...first, format: 'opencrvs-1x' }]);
    expect((await subscribe({ format: 'standard' })).status).toBe(202);
    expect(await entries()).toEqual([first]);
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

  it.each([
    [true, 2],
    [false, 1],
  ])('is counted if it grows: %p', async (isNew, expected) => {
    const statements = await service.test.database.transaction(async (transaction) => {
      const texts: unknown[] = [];
      const counted = {
        query: (statement: Parameters<typeof transaction.query>[0]) => {
          texts.push(statement);
          return transaction.query<never>(statement);
        },
      };
      const growth = { isNew, isFilterNew: false, addedBytes: 0 };
      await withinBounds(counted, { clientId: client.clientId, topic: 'BIRTH_REGISTERED' }, () =>
        Promise.resolve(growth),
      );
      return texts.length;
    });
    // Who the client is, and what it has.
    expect(statements).toBe(expected);
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

describe('callbacks that differ in spelling alone', () => {
  const spelled = (host: string, path: string): string => `HTTPS://${host}:${service.subscriber.port}${path}`;

  it('are one subscription, listed and called as it was first written', async () => {
    const callback = spelled('LocalHost', '/b/../a?');
    const same = [callback, service.subscriber.url('/a', 'localhost'), spelled('LOCALHOST', '/%2e/a'), callback];
    for (const spelling of same) expect((await subscribe({ callback: spelling })).status).toBe(202);
    expect(await entries()).toEqual([expect.objectContaining({ callback })]);
    service.subscriber.forget();
    await trigger(anEventDocument({ actions: [anAction(), aRegistration()] }));
    await eventually('notified', () => service.subscriber.notifications.length === 1);
    expect(JSON.parse(service.subscriber.notifications[0]?.body.toString() ?? '')).toMatchObject({ url: callback });
  });

  it.each(['/A', '/a?b', '/a/'])('are not those with the paths /a and %s', async (path) => {
    await subscribe({ callback: service.subscriber.url('/a') });
    await subscribe({ callback: service.subscriber.url(path) });
    expect(await entries()).toHaveLength(2);
  });
});
