import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { createApplication } from '../../src/application.js';
import { CLI } from '../../src/audit/audit-entry.js';
import { SystemClients } from '../../src/auth/system-clients/system-clients.js';
import { AccessTokens } from '../../src/auth/token/access-tokens.js';
import { readConfig } from '../../src/config/read-config.js';
import type { EventAction } from '../../src/domain/record/event-action.js';
import type { Uuid } from '../../src/domain/uuid.js';
import { sql } from '../../src/sql/sql.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { eventually } from '../support/eventually.js';
import { OpenApiCheck } from '../support/openapi-check.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';
import type { Behaviour, ScriptedSubscriber } from '../support/scripted-subscriber.js';
import { answers, hangs, startScriptedSubscriber, verifies } from '../support/scripted-subscriber.js';

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

interface TestClient {
  readonly clientId: Uuid;
  readonly shaSecret: string;
  readonly token: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

let test: TestDatabase;
let app: NestFastifyApplication;
let urls: { readonly public: string; readonly internal: string };
let close: () => Promise<void>;
let check: OpenApiCheck;
let subscriber: ScriptedSubscriber;
let client: TestClient;
let administrator: string;
let nationalAdministrator: string;

beforeAll(async () => {
  test = await createTestDatabase();
  subscriber = await startScriptedSubscriber();
  const config = readConfig({
    SECRETS_KEY,
    PORT: '0',
    INTERNAL_PORT: '0',
    LOG_LEVEL: 'fatal',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_CA: subscriber.authority,
    WEBHOOK_TIMEOUT_SECONDS: '0.5',
    WEBHOOK_RETRY_SECONDS: '0.1',
  });
  const application = await createApplication(config, test.url);
  await application.listen();
  ({ app } = application);
  close = () => application.close();
  urls = { public: application.publicUrl ?? '', internal: application.internalUrl ?? '' };
  const document = await fetch(`${urls.internal}/openapi.json`);
  check = new OpenApiCheck((await document.json()) as ConstructorParameters<typeof OpenApiCheck>[0]);
  const tokens = app.get(AccessTokens, { strict: false });
  const order = { role: 'system-admin', subject: 'cli', ttlSeconds: 600, by: CLI } as const;
  administrator = await tokens.administratorToken(order, new Date());
  nationalAdministrator = await tokens.administratorToken({ ...order, role: 'national-system-admin' }, new Date());
});
afterAll(async () => {
  await close();
  await subscriber.close();
  await test.drop();
});
beforeEach(async () => {
  client = await aClient(['webhook']);
  subscriber.behave(answers(200));
  subscriber.verify(verifies);
  subscriber.forget();
});
afterEach(() =>
  test.dataSource.query('truncate webhook_subscription, webhook_context, webhook_delivery, webhook_attempt'),
);

async function aClient(scopes: readonly string[]): Promise<TestClient> {
  const clients = app.get(SystemClients, { strict: false });
  const { clientId, clientSecret, shaSecret } = await clients.register({ scopes, name: 'A client', by: CLI });
  const granted = await ask('POST', '/token', undefined, {
    client_id: clientId,
    client_secret: clientSecret.reveal(),
    grant_type: 'client_credentials',
  });
  return { clientId, shaSecret: shaSecret.reveal(), token: (granted.body as { access_token: string }).access_token };
}

async function ask(method: string, path: string, token?: string, body?: unknown, base = urls.public): Promise<Answer> {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const contentType = response.headers.get('content-type') ?? undefined;
  check.check({ method, path, status: response.status, contentType, body: text });
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

const hubOf = (changes: Readonly<Record<string, unknown>> = {}, of = client): Record<string, unknown> => ({
  callback: subscriber.url(),
  mode: 'subscribe',
  topic: 'BIRTH_REGISTERED',
  secret: of.shaSecret,
  ...changes,
});
const exact = (term: string): object => ({ type: 'exact', term });
const subscribe = (changes: Readonly<Record<string, unknown>> = {}, of = client): Promise<Answer> =>
  ask('POST', '/webhooks', of.token, { hub: hubOf(changes, of) });

interface Entry {
  readonly id: string;
}
const entries = async (of = client): Promise<readonly Entry[]> =>
  ((await ask('GET', '/webhooks', of.token)).body as { entries: Entry[] }).entries;
const issuesOf = ({ body }: Answer): unknown =>
  (body as { issues?: { message: string }[] }).issues?.map(({ message }) => message);

const trigger = (document: unknown, action = 'REGISTER', type = 'birth', token = administrator): Promise<Answer> =>
  ask('POST', `/trigger/events/${type}/actions/${action}`, token, document, urls.internal);

/** How many notifications of each event there are. */
const publications = (): Promise<{ eventId: string; count: number }[]> =>
  test.database.query(sql`
    select event_id as "eventId", count(*)::int as count from webhook_delivery group by event_id order by count`);

let registrations = 0;
const aRegistration = (overrides: Partial<EventAction> = {}): EventAction =>
  anAction({ type: 'REGISTER', registrationNumber: `2026T${String(++registrations).padStart(7, '0')}`, ...overrides });

describe('POST /webhooks', () => {
  it('verifies the callback and answers 202 with nothing', async () => {
    expect(await subscribe({ callback: subscriber.url('/hook?token=a%20b') })).toEqual({
      status: 202,
      body: undefined,
    });
    expect(subscriber.received).toHaveLength(1);
    const [verification] = subscriber.received;
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

  it('denies another client’s secret', async () => {
    const other = await aClient(['webhook']);
    expect(await subscribe({ secret: other.shaSecret })).toEqual(denied('hub.secret is incorrect'));
  });

  it.each([
    ['https://user@127.0.0.1/', 'must not contain user info'],
    ['https://127.0.0.1/#x', 'must not contain a fragment'],
    ['https://10.0.0.1/', 'must not lead to an address that is private'],
    ['https://[::ffff:127.0.0.1]/', 'must not lead to an address that is IPv4 inside IPv6'],
    ['https://metadata.google.internal/', 'must not name a metadata service'],
  ])('denies the callback %s', async (callback, reason) => {
    expect(await subscribe({ callback })).toEqual(denied(`hub.callback ${reason}`));
  });

  const another: Behaviour = (_, answer) => answer.writeHead(200).end('{"challenge":"another"}');
  it.each<readonly [string, Behaviour]>([
    ['answers with another challenge', another],
    ['answers 404', answers(404)],
    ['redirects', answers(302, { location: '/elsewhere' })],
    ['never answers', hangs],
  ])('denies a callback that %s', async (_, behaviour) => {
    subscriber.verify(behaviour);
    expect(await subscribe()).toEqual(denied('Subscription callback check failed'));
    expect(await entries()).toEqual([]);
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
    const clauses = Array.from({ length: 250 }, (_, at) => ({ data: { 'child.name': exact(`name ${at}`) } }));
    const answer = await subscribe({ query: { type: 'or', clauses: [...clauses, { data: exact('anywhere') }] } });
    expect(answer.status).toBe(400);
    expect(issuesOf(answer)).toEqual([
      'hub.query.clauses[250].data: costs 50 of 550, and a query may cost 500 in all (a filter): ' +
        'name the fields to look in, or ask for fewer terms or words at a time',
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

  it('renews a subscription under its id', async () => {
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

describe('POST /trigger/events/{type}/actions/{action}', () => {
  const stored = (): Promise<unknown[]> =>
    test.database.query(
      sql`select id, type, status, registration_number as number from event_search order by updated_at desc`,
    );

  const acceptanceOf = ({ id, registrationNumber }: EventAction): EventAction =>
    aRegistration({ originalActionId: id, registrationNumber });

  it('stores the document and publishes its registration once, whenever it comes again', async () => {
    await subscribe();
    const registration = aRegistration();
    const document = anEventDocument({ actions: [anAction(), registration] });
    for (let count = 0; count < 3; count += 1) {
      expect(await trigger(document)).toEqual({ status: 200, body: undefined });
    }
    await eventually('notified', () => subscriber.notifications.length > 0);
    await sleep(200);
    expect(subscriber.notifications).toHaveLength(1);
    const [notification] = subscriber.notifications;
    const body = JSON.parse(notification?.body.toString() ?? '') as { hmac: string; context: [unknown] };
    const signed = createHmac('sha256', client.shaSecret).update(JSON.stringify(body.context[0])).digest('hex');
    expect(body.hmac).toBe(`sha256=${signed}`);
    expect(await stored()).toContainEqual({
      id: document.id,
      type: 'birth',
      status: 'REGISTERED',
      number: registration.registrationNumber,
    });
  });

  it('takes the action of the address for accepted where the document still has it as requested', async () => {
    await subscribe();
    await subscribe({ topic: 'BIRTH_CERTIFIED' });
    const requested = aRegistration({ status: 'Requested' });
    const document = anEventDocument({ actions: [anAction(), requested] });
    expect((await trigger(document)).status).toBe(200);
    expect((await trigger(document)).status).toBe(200);
    expect(await stored()).toContainEqual(expect.objectContaining({ id: document.id, status: 'REGISTERED' }));

    // Later documents have the acceptance under an id of its own.
    const accepted = aRegistration({
      originalActionId: requested.id,
      registrationNumber: requested.registrationNumber,
    });
    const printed = anAction({ type: 'PRINT_CERTIFICATE' });
    const later = { ...document, actions: [...document.actions, accepted, printed] };
    expect((await trigger(later, 'print_certificate')).status).toBe(200);
    await eventually('both', () => subscriber.notifications.length >= 2);
    await sleep(200);
    const topics = subscriber.notifications.map(
      ({ body }) =>
        (JSON.parse(body.toString()) as { payload: { event: { hub: { topic: string } } } }).payload.event.hub.topic,
    );
    expect(topics.sort()).toEqual(['BIRTH_CERTIFIED', 'BIRTH_REGISTERED']);
  });

  it('publishes a new event once, however many triggers of it come at once', async () => {
    await subscribe();
    // Each trigger's document has the acceptance of the one request under an id of its own, or not yet.
    const requested = aRegistration({ status: 'Requested' });
    const document = anEventDocument({ actions: [anAction(), requested] });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        trigger(at % 3 === 0 ? document : { ...document, actions: [...document.actions, acceptanceOf(requested)] }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await publications()).toEqual([{ eventId: document.id, count: 1 }]);
  });

  it('publishes each of 60 new events once that are triggered twice at the same time', async () => {
    await subscribe();
    for (let count = 0; count < 60; count += 1) {
      const requested = aRegistration({ status: 'Requested' });
      const document = anEventDocument({ actions: [anAction(), requested] });
      const triggered = { ...document, actions: [...document.actions, acceptanceOf(requested)] };
      await Promise.all([trigger(document), trigger(triggered)]);
    }
    const published = await publications();
    expect(published).toHaveLength(60);
    expect(published.filter(({ count }) => count !== 1)).toEqual([]);
  });

  it('refuses what it cannot take in, and stores nothing of it', async () => {
    const before = await stored();
    const numberless = anEventDocument({
      actions: [anAction(), aRegistration({ status: 'Requested', registrationNumber: null })],
    });
    const rejected = anEventDocument({ actions: [anAction(), aRegistration({ status: 'Rejected' })] });
    expect(issuesOf(await trigger(numberless))).toEqual([
      'actions[1].registrationNumber: is required of a REGISTER that is accepted',
    ]);
    expect(issuesOf(await trigger(rejected))).toEqual([
      'actions[1].status: must be "Requested" or "Accepted": the action was triggered',
    ]);
    expect(issuesOf(await trigger(anEventDocument()))).toEqual(['actions: must hold an action of the type REGISTER']);
    expect(issuesOf(await trigger(anEventDocument(), 'CREATE', 'death'))).toEqual([
      'type: must be "death", as in the address',
    ]);
    expect((await trigger({ actions: [] })).status).toBe(400);
    expect((await trigger(anEventDocument(), 'UNKNOWN')).status).toBe(404);
    expect((await trigger(anEventDocument(), 'CREATE', 'birth', client.token)).status).toBe(403);
    const outside = await ask('POST', '/trigger/events/birth/actions/CREATE', administrator, anEventDocument());
    expect(outside.status).toBe(404);
    expect(await stored()).toEqual(before);
  });

  it('answers 409 when another event has the registration number', async () => {
    const registration = aRegistration();
    await trigger(anEventDocument({ actions: [anAction(), registration] }));
    const same = { ...aRegistration(), registrationNumber: registration.registrationNumber };
    const answer = await trigger(anEventDocument({ actions: [anAction(), same] }));
    expect([answer.status, issuesOf(answer)]).toEqual([409, ['registrationNumber: is that of another event']]);
  });
});

describe('what a client is sent', () => {
  const named = (firstname: string): ReturnType<typeof anEventDocument> =>
    anEventDocument({
      actions: [anAction({ declaration: { 'child.name': { firstname, surname: 'Musonda' } } }), aRegistration()],
    });
  const eventIds = (): string[] =>
    subscriber.notifications.map(({ body }) => {
      const [, id] = /"reference":"Composition\/([^"]*)"/.exec(body.toString()) ?? [];
      return id ?? '';
    });

  it('is what matches its query at the change, with words that no record had before', async () => {
    const query = {
      clauses: [
        { eventType: 'birth', data: { 'child.name': { type: 'fuzzy', term: 'Zebulonia' } } },
        { status: { type: 'exact', term: 'REGISTERED' } },
      ],
    };
    await subscribe({ query });
    const [match, other, near] = [named('Zebulonia'), named('Chilufya'), named('Zebulonja')];
    for (const document of [match, other, near]) expect((await trigger(document)).status).toBe(200);
    await eventually('both', () => subscriber.notifications.length >= 2);
    await sleep(200);
    expect(eventIds().sort()).toEqual([match.id, near.id].sort());
  });

  it('is found in time whatever filters other subscriptions have, those from before filters had a budget too', async () => {
    const costly = { clauses: Array.from({ length: 490 }, (_, at) => ({ data: { [`f${at}`]: exact('x') } })) };
    const before = { type: 'or', clauses: [...costly.clauses, { data: { 'child.name': exact('Chanda') } }] };
    await test.database.query(sql`
      insert into webhook_subscription (id, client_id, topic, callback, format, query)
      select gen_random_uuid(), ${client.clientId}, 'BIRTH_REGISTERED', ${subscriber.url('/costly/')} || at, 'standard',
             ${JSON.stringify(before)}::jsonb
        from generate_series(1, 30) at`);
    expect((await subscribe()).status).toBe(202);
    const [match, other] = [named('Chanda'), named('Mutale')];
    const startMs = performance.now();
    for (const document of [match, other]) expect((await trigger(document)).status).toBe(200);
    // One statement of all these took a quarter of a second and more for each of them.
    expect(performance.now() - startMs).toBeLessThan(5_000);
    expect(await publications()).toEqual([
      { eventId: other.id, count: 1 },
      { eventId: match.id, count: 31 },
    ]);
  });

  it('is restricted by the scopes of the client', async () => {
    const restricted = await aClient(['webhook', 'type=record.search&event=birth&flags.noneOf=sealed']);
    const deaths = await aClient(['webhook', 'type=record.read&event=death']);
    await subscribe({ callback: subscriber.url('/restricted') }, restricted);
    await subscribe({ callback: subscriber.url('/deaths') }, deaths);
    await trigger(named('Mutale'));
    await eventually('notified', () => subscriber.notifications.length > 0);
    await sleep(200);
    expect(subscriber.notifications.map(({ target }) => target)).toEqual(['/restricted']);
  });
});

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
    const time = { since: '2020-01-01T00:00:00Z', until: '2120-01-01T00:00:00Z' };
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
