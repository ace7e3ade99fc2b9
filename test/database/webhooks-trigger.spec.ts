import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventAction } from '../../src/kernel/domain/event-action.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { eventually } from '../support/eventually.js';
import type { TestDatabase } from '../support/postgres.js';
import type { ScriptedSubscriber } from '../support/scripted-subscriber.js';
import { processorMsOf } from '../support/processor-time.js';
import { exact } from '../support/value-conditions.js';
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
let administrator: string;

beforeAll(async () => {
  service = await startWebhookService();
  ({ test, subscriber, administrator } = service);
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await aClient(['webhook']);
  makeGood(subscriber);
});
afterEach(() => removeWebhooks(test));

const { aClient, ask, subscribe, issuesOf, trigger, publications, aRegistration } = askingWebhooks(() => ({
  ...service,
  client,
}));

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

  it('leaves a row in the audit log when a system client reports something new', async () => {
    const country = await aClient(['record.import']);
    const registration = aRegistration();
    const document = anEventDocument({ actions: [anAction(), registration] });
    for (let count = 0; count < 2; count += 1) {
      expect((await trigger(document, 'REGISTER', 'birth', country.token)).status).toBe(200);
    }
    expect((await trigger(anEventDocument({ actions: [anAction(), aRegistration()] }))).status).toBe(200);
    const { id: actionId, transactionId } = registration;
    expect(
      await test.database.query(
        sql`select client_id as client, operation, request_data as request from audit_log
            where operation like 'event.actions.%'`,
      ),
    ).toEqual([
      {
        client: country.clientId,
        operation: 'event.actions.register.accept',
        request: {
          ...{ eventId: document.id, actionId, actionType: 'REGISTER' },
          ...{ eventType: 'birth', trackingId: document.trackingId, transactionId },
        },
      },
    ]);
  });

  it('leaves one, too, where nothing is new but the tracking id', async () => {
    const country = await aClient(['record.import']);
    const document = anEventDocument({ actions: [anAction(), aRegistration()] });
    const corrected = { ...document, trackingId: `C${document.trackingId}` };
    for (const each of [document, corrected, corrected]) {
      expect((await trigger(each, 'REGISTER', 'birth', country.token)).status).toBe(200);
    }
    expect(
      await test.database.query(
        sql`select tracking_id as "trackingId",
                   (select count(*)::int from audit_log where request_data ->> 'eventId' = ${document.id}) as rows
              from event_search where id = ${document.id}`,
      ),
    ).toEqual([{ trackingId: corrected.trackingId, rows: 2 }]);
  });

  it('publishes a new event once, however many triggers of it come at once', async () => {
    await subscribe();
    // Each trigger's document has the acceptance of the one request under an id of its own, or not yet.
    const requested = aRegistration({ status: 'Requested' });
    const document = anEventDocument({ actions: [anAction(), requested] });
    // Those that wait too long for the ones before them are refused, and come again as a country's would.
    const triggerUntilTaken = async (
      given: ReturnType<typeof anEventDocument>,
    ): Promise<{ readonly status: number }> => {
      const answer = await trigger(given);
      return answer.status === 503 ? triggerUntilTaken(given) : answer;
    };
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) => {
        const accepted = { ...document, actions: [...document.actions, acceptanceOf(requested)] };
        return triggerUntilTaken(at % 3 === 0 ? document : accepted);
      }),
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
    const tookMs = await processorMsOf(test.database, async () => {
      for (const document of [match, other]) expect((await trigger(document)).status).toBe(200);
    });
    // The database was asked about all of them with each trigger, in one statement: as much work as so many searches.
    const searcher = await aClient(['recordsearch']);
    const searchMs = await processorMsOf(test.database, async () => {
      expect((await ask('POST', '/events/search', searcher.token, { query: before })).status).toBe(200);
    });
    expect(tookMs).toBeLessThan(30 * searchMs);
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
