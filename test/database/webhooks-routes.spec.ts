import { Logger } from '@nestjs/common';
import { NOT_PERMITTED } from '../../src/platform/outbound/address-policy.js';
import { ownHeaders } from '../../src/platform/outbound/outbound-client.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { eventually } from '../support/eventually.js';
import type { TestDatabase } from '../support/postgres.js';
import { removeWebhooks } from '../support/remove-webhooks.js';
import { answers, type Behaviour, hangs, type ScriptedSubscriber, verifies } from '../support/scripted-subscriber.js';
import { exact } from '../support/value-conditions.js';
import {
  type Answer,
  askingWebhooks,
  makeGood,
  startWebhookService,
  type TestClient,
  type WebhookService,
} from '../support/webhook-routes.js';

let service: WebhookService;
let test: TestDatabase;
let subscriber: ScriptedSubscriber;
let client: TestClient;
let urls: WebhookService['urls'];
let administrator: string;
let nationalAdministrator: string;

beforeAll(async () => {
  // One callback never answers; all others do, also on a busy machine.
  service = await startWebhookService({ WEBHOOK_TIMEOUT_SECONDS: '10', DATABASE_POOL_SIZE: '4' });
  ({ test, subscriber, urls, administrator, nationalAdministrator } = service);
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await aClient(['webhook']);
  makeGood(subscriber);
});
afterEach(() => removeWebhooks(test));

const { aClient, ask, subscribe, entries, issuesOf, trigger, aRegistration } = askingWebhooks(() => ({
  ...service,
  client,
}));

describe('POST /webhooks', () => {
  it('verifies the callback and answers 202 with nothing', async () => {
    expect(await subscribe({ callback: subscriber.url('/hook?token=a%20b') })).toEqual({
      status: 202,
      body: undefined,
    });
    expect(subscriber.received).toHaveLength(1);
    const [verification] = subscriber.received;
    expect(verification?.headers).toMatchObject({
      ...ownHeaders(),
      'x-correlation-id': expect.stringMatching(/^\S+$/) as string,
    });
    expect(verification?.target).toMatch(
      /^\/hook\?token=a%20b&mode=subscribe&challenge=[A-Za-z0-9-]{32,}&topic=BIRTH_REGISTERED$/,
    );
  });

  const denied = (reason: string, topic = 'BIRTH_REGISTERED'): Answer => ({
    status: 400,
    body: { hub: { mode: 'denied', topic, reason } },
  });

  it('denies in the order of the checks', async () => {
    const faults = { callback: 'http://10.0.0.1/', mode: 'unsubscribe', secret: 'wrong', topic: 'MARRIAGE_REGISTERED' };
    const { callback, mode, secret } = faults;
    expect(await subscribe(faults)).toEqual(denied('Unsupported topic: MARRIAGE_REGISTERED', 'MARRIAGE_REGISTERED'));
    expect(await subscribe({ callback, mode, secret })).toEqual(denied('hub.secret is incorrect'));
    expect(await subscribe({ callback, mode })).toEqual(denied('hub.mode must be set to subscribe'));
    expect(await subscribe({ callback })).toEqual(denied('hub.callback must be an absolute https URL'));
    expect(subscriber.received).toEqual([]);
    expect(await entries()).toEqual([]);
  });

  it('answers 503 to a client whose secret cannot be read, until it is replaced', async () => {
    const bad = await aClient(['webhook']);
    await test.database.query(sql`update system_client set sha_secret_sealed = '' where client_id = ${bad.clientId}`);
    const hub = { callback: subscriber.url(), mode: 'subscribe', topic: 'BIRTH_REGISTERED' };
    const answer = await ask('POST', '/webhooks', bad.token, { hub: { ...hub, secret: bad.shaSecret } });
    const message = 'The sha_secret of the client cannot be read; its administrator can replace it';
    expect(answer).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE', message } });
    const order = { client_id: bad.clientId };
    const rotation = await ask('POST', '/rotateShaSecret', nationalAdministrator, order, urls.internal);
    const secret = (rotation.body as { sha_secret: string }).sha_secret;
    expect((await ask('POST', '/webhooks', bad.token, { hub: { ...hub, secret } })).status).toBe(202);
  });

  it('denies another client’s secret', async () => {
    const other = await aClient(['webhook']);
    expect(await subscribe({ secret: other.shaSecret })).toEqual(denied('hub.secret is incorrect'));
  });

  it.each([
    ['https://user@127.0.0.1/', 'must not contain user info'],
    ['https://127.0.0.1/#x', 'must not contain a fragment'],
    ['https://10.0.0.1/', NOT_PERMITTED],
    ['https://[::ffff:127.0.0.1]/', NOT_PERMITTED],
    ['https://metadata.google.internal/', NOT_PERMITTED],
  ])('denies the callback %s', async (callback, reason) => {
    expect(await subscribe({ callback })).toEqual(denied(`hub.callback ${reason}`));
  });

  const another: Behaviour = (_, answer) => answer.writeHead(200).end('{"challenge":"another"}');
  it.each<readonly [string, Behaviour, string]>([
    ['answers with another challenge', another, 'the answer does not have the challenge'],
    ['answers 404', answers(404), 'the answer has the status 404'],
    ['redirects', answers(302, { location: '/elsewhere' }), 'the answer has the status 302'],
    ['never answers', hangs, 'no answer (timeout)'],
  ])('denies a callback that %s, and says why to its client and in the log', async (_, behaviour, why) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    subscriber.verify(behaviour);
    const reason = `Subscription callback check failed: ${why}`;
    expect(await subscribe()).toEqual(denied(reason));
    expect(await entries()).toEqual([]);
    expect(warn.mock.calls).toEqual([[`client ${client.clientId} is not subscribed at "127.0.0.1": ${reason}`]]);
    warn.mockRestore();
  });

  it('refuses a body of another shape with an error object', async () => {
    const answer = await ask('POST', '/webhooks', client.token, { hub: { mode: 'subscribe', topic: 5 } });
    expect([answer.status, issuesOf(answer)]).toEqual([
      400,
      ['hub.callback: is required', 'hub.topic: must be a string', 'hub.secret: is required'],
    ]);
    expect((await ask('POST', '/webhooks', client.token)).status).toBe(400);
  });

  it('refuses a query as a search would', async () => {
    const answer = await subscribe({ query: { clauses: [{ stat: 1 }] } });
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([400, 'BAD_REQUEST']);
    expect(issuesOf(answer)).toEqual([expect.stringMatching(/^hub\.query\.clauses\[0\]\.stat: /)]);
  });

  it('refuses a query that costs more than a filter may, and says what is costly in it', async () => {
    const clauses = Array.from({ length: 250 }, (_, at) => ({
      data: { 'child.name': { type: 'anyOf', terms: [`name ${at}`, `other ${at}`] } },
    }));
    const answer = await subscribe({ query: { type: 'or', clauses: [...clauses, { data: exact('anywhere') }] } });
    expect(answer.status).toBe(400);
    expect(issuesOf(answer)).toEqual([
      'hub.query.clauses[250].data: costs 50 of 550, and a query may cost 500 in all (a filter): ' +
        'name the fields to look in, or split it into requests of fewer terms or words',
    ]);
    expect(subscriber.received).toEqual([]);
    expect((await subscribe({ query: { type: 'or', clauses } })).status).toBe(202);
  });

  it('needs a client with the permission', async () => {
    const searcher = await aClient(['recordsearch']);
    expect((await ask('GET', '/webhooks')).status).toBe(401);
    expect((await ask('GET', '/webhooks', searcher.token)).status).toBe(403);
    expect((await ask('GET', '/webhooks', administrator)).status).toBe(403);
  });

  it('subscribes no client that was deleted while its callback was asked', async () => {
    subscriber.verify((received, answer, socket) => {
      void test.database
        .query(sql`update system_client set status = 'deleted' where client_id = ${client.clientId}`)
        .then(() => {
          verifies(received, answer, socket);
        });
    });
    expect((await subscribe()).status).toBe(401);
    expect(
      await test.database.query(sql`select from webhook_subscription where client_id = ${client.clientId}`),
    ).toEqual([]);
  });

  it('leaves connections to others while a client waits for its own other requests', async () => {
    const other = await aClient(['webhook']);
    const subscribing = await test.database.transaction(async (transaction) => {
      await transaction.query(sql`select from system_client where client_id = ${client.clientId} for no key update`);
      const waiting = Promise.all(Array.from({ length: 6 }, () => subscribe()));
      await eventually('verified', () => subscriber.received.length === 6);
      expect(await entries(other)).toEqual([]);
      return { waiting };
    });
    expect((await subscribing.waiting).map(({ status }) => status)).toEqual(Array(6).fill(202));
    expect(await entries()).toHaveLength(1);
  });
});

describe('POST /rotateShaSecret', () => {
  const rotate = (body: unknown, token = nationalAdministrator, base = urls.internal): Promise<Answer> =>
    ask('POST', '/rotateShaSecret', token, body, base);

  it('answers with the secret that a subscription is made with from then on, and no other', async () => {
    const rotated = await rotate({ client_id: client.clientId });
    const { sha_secret: secret } = rotated.body as { sha_secret: string };
    expect([rotated.status, secret]).toEqual([200, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(secret).not.toBe(client.shaSecret);
    const old = await subscribe();
    expect([old.status, old.body]).toEqual([
      400,
      { hub: { mode: 'denied', topic: 'BIRTH_REGISTERED', reason: 'hub.secret is incorrect' } },
    ]);
    expect((await subscribe({ secret })).status).toBe(202);
  });

  it('asks for the administrator that registers clients, on the internal port, and for what it knows', async () => {
    const body = { client_id: client.clientId };
    expect((await rotate(body, client.token)).status).toBe(403);
    expect((await rotate(body, administrator)).status).toBe(403);
    expect((await rotate(body, nationalAdministrator, urls.public)).status).toBe(404);
    expect((await rotate({ client_id: aUuid() })).status).toBe(404);
    expect((await rotate({ client_id: 'x' })).status).toBe(400);
    expect((await subscribe()).status).toBe(202);
  });
});

describe('POST /setWebhookFormat', () => {
  const set = (body: unknown, token = nationalAdministrator, base = urls.internal): Promise<Answer> =>
    ask('POST', '/setWebhookFormat', token, body, base);

  it('decides on the format of subscriptions that name none, and that are new', async () => {
    await subscribe({ topic: 'DEATH_REGISTERED' });
    expect(await set({ client_id: client.clientId, format: 'opencrvs-1x' })).toEqual({ status: 200, body: undefined });
    await subscribe();
    await subscribe({ topic: 'BIRTH_CERTIFIED', format: 'standard' });
    await subscribe({ topic: 'DEATH_REGISTERED' });
    expect(await entries()).toMatchObject([
      expect.not.objectContaining({ format: 'opencrvs-1x' }),
      { topic: 'BIRTH_REGISTERED', format: 'opencrvs-1x' },
      expect.not.objectContaining({ format: 'opencrvs-1x' }),
    ]);
    await trigger(anEventDocument({ actions: [anAction(), aRegistration()] }));
    await eventually('notified', () => subscriber.notifications.length > 0);
    const [notification] = subscriber.notifications;
    expect(JSON.parse(notification?.body.toString() ?? '')).toMatchObject({
      event: { hub: { topic: 'BIRTH_REGISTERED' } },
    });
    await subscribe();
    expect(await entries()).toHaveLength(3);
  });

  it('asks for the administrator that registers clients, on the internal port, and for what it knows', async () => {
    const body = { client_id: client.clientId, format: 'opencrvs-1x' };
    expect((await set(body, client.token)).status).toBe(403);
    expect((await set(body, administrator)).status).toBe(403);
    expect((await set(body, nationalAdministrator, urls.public)).status).toBe(404);
    expect((await set({ ...body, client_id: aUuid() })).status).toBe(404);
    expect((await set({ ...body, format: 'xml' })).status).toBe(400);
    expect((await set({ client_id: client.clientId })).status).toBe(400);
  });
});

describe('GET and DELETE /webhooks', () => {
  it('lists the caller’s own, the oldest first', async () => {
    const other = await aClient(['health']);
    await subscribe();
    await subscribe({ topic: 'DEATH_CORRECTED' });
    await subscribe({}, other);
    expect(await entries()).toEqual(
      ['BIRTH_REGISTERED', 'DEATH_CORRECTED'].map((topic) => ({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        callback: subscriber.url(),
        createdAt: expect.stringMatching(/^20.*Z$/) as string,
        createdBy: { client_id: client.clientId, type: 'api', username: 'A client', name: 'A client' },
        topic,
        status: 'active',
      })),
    );
    expect(await entries(other)).toHaveLength(1);
  });

  it('removes one’s own, and tells nothing of others', async () => {
    const other = await aClient(['webhook']);
    await subscribe();
    const [entry] = await entries();
    const path = `/webhooks/${entry?.id ?? ''}`;
    expect((await ask('DELETE', path, other.token)).status).toBe(404);
    expect((await ask('DELETE', '/webhooks/unknown', client.token)).status).toBe(404);
    expect(await ask('DELETE', path, client.token)).toEqual({ status: 204, body: undefined });
    expect((await ask('DELETE', path, client.token)).status).toBe(404);
    expect(await entries()).toEqual([]);
    expect((await subscribe()).status).toBe(202);
    expect((await entries())[0]?.id).not.toBe(entry?.id);
  });

  it('leaves a row of each in the audit log, with no secret in it', async () => {
    const query = { clauses: [{ eventType: 'birth' }] };
    await subscribe({ callback: subscriber.url('/hook?token=1'), query });
    await subscribe({ secret: 'wrong' });
    const [entry = { id: '' }] = await entries();
    await ask('DELETE', `/webhooks/${entry.id}`, client.token);
    await ask('DELETE', `/webhooks/${entry.id}`, client.token);
    const rows = await test.database.query(sql`
      select client_type as type, operation, request_data as asked, response_summary as found from audit_log
       where client_id = ${client.clientId} and operation like 'webhooks.%' order by created_at`);
    const asked = { topic: 'BIRTH_REGISTERED', callback: subscriber.url('/hook'), query };
    expect(rows).toEqual([
      { type: 'system', operation: 'webhooks.subscribe', asked, found: { id: entry.id } },
      { type: 'system', operation: 'webhooks.unsubscribe', asked: { id: entry.id }, found: { id: entry.id } },
    ]);
  });
});
