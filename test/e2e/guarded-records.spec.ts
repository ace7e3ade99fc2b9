import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '../../src/kernel/sql/sql.js';
import type { RunningApplication } from '../support/application.js';
import { OFFICE } from '../support/areas.js';
import {
  type AnsweredEvent,
  course,
  type EventCaller,
  eventCaller,
  startEventService,
} from '../support/event-service.js';
import { SECURED_FORMS } from '../support/secured-forms.js';

const notSealed = (operation: string): string => `type=record.${operation}&flags.noneOf=sealed`;
const NOT_SEALED = ['search', 'read'].map(notSealed);
const ALL = ['create', 'read', 'search', 'notify', 'declare', 'register', 'custom-action', 'review-duplicates'];

interface Found {
  readonly total: number;
  readonly results: readonly {
    readonly id: string;
    readonly dateOfEvent: string | null;
    readonly flags: readonly string[];
    readonly potentialDuplicates: readonly { readonly id: string }[];
    readonly declaration: Readonly<Record<string, unknown>>;
  }[];
}

let running: Awaited<ReturnType<typeof startEventService>>;
let service: RunningApplication;
let registrar: EventCaller;
const folder = mkdtempSync(join(tmpdir(), 'guarded-'));
beforeAll(async () => {
  const file = join(folder, 'events.json');
  writeFileSync(file, JSON.stringify(SECURED_FORMS));
  running = await startEventService({ EVENT_CONFIG_FILE: file });
  ({ service } = running);
  registrar = await userWith('registrar', ...ALL.map((operation) => `record.${operation}`));
});
afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true });
});

const userWith = async (sub: string, ...scope: readonly string[]): Promise<EventCaller> =>
  eventCaller(service, await service.issuer.token({ sub, userType: 'user', scope, office: OFFICE }));

async function clientWith(...scope: readonly string[]): Promise<EventCaller> {
  const { clientId } = await service.registerClient('HEALTH');
  return eventCaller(service, await service.issuer.token({ sub: clientId, userType: 'system', scope }));
}

const tx = () => ({ transactionId: randomUUID() });

let births = 0;
/** A child of its own, unless a part of it is said. */
const aChild = (changes: object = {}) => ({
  'child.name': { firstname: `Child${'abcdefghij'[(births += 1)] ?? ''}xyz`, surname: 'Banda' },
  'child.dob': '2026-02-20',
  'child.nid': `NID${births}`,
  'mother.nid': `M${births}`,
  ...changes,
});

async function declared(declaration: object): Promise<AnsweredEvent> {
  const { event } = await registrar.post('', { ...tx(), type: 'birth' });
  const { status, event: after } = await registrar.post(`/${event.id}/actions/declare`, {
    ...{ ...tx(), declaration, keepAssignment: true },
  });
  expect(status).toBe(200);
  return after;
}

const register = (id: string) => registrar.post(`/${id}/actions/register`, { ...tx(), keepAssignment: true });
const custom = (id: string, type: string) =>
  registrar.post(`/${id}/actions/custom/${type}`, { ...tx(), keepAssignment: true });

async function search(caller: EventCaller, clause: object, more: object = {}) {
  const body = { query: { clauses: [clause] }, ...more };
  const { status, json } = await service.request('POST', '/events/search', { token: caller.token, body });
  return {
    status,
    ...(json as Found & { readonly message?: string; readonly issues?: readonly { message: string }[] }),
  };
}

const count = (caller: EventCaller, ...clauses: readonly object[]) => {
  const body = { queries: clauses.map((clause) => ({ query: { clauses: [clause] } })) };
  return service.request('POST', '/events/search/counts', { token: caller.token, body });
};

describe('a secured field', () => {
  it('is sent to nobody who may not read the record, nor is a copy of it', async () => {
    const child = aChild();
    const { id } = await declared(child);
    const [record] = (await search(registrar, { id })).results;
    expect([record?.declaration, record?.dateOfEvent]).toEqual([child, '2026-02-20']);
    const shown = { 'child.name': child['child.name'], 'mother.nid': child['mother.nid'] };
    for (const caller of [
      await clientWith('record.search'),
      await clientWith('record.search', 'type=record.read&event=death'),
    ]) {
      const [seen] = (await search(caller, { id })).results;
      expect([seen?.declaration, seen?.dateOfEvent]).toEqual([shown, null]);
    }
    const lines = await service.request('POST', '/events/search', {
      token: (await clientWith('record.search')).token,
      headers: { accept: 'application/x-ndjson' },
      body: { query: { clauses: [{ id }] } },
    });
    expect(lines.body).not.toMatch(/NID|2026-02-20/);
  });

  it('cannot be asked for without any record.read, and matches only what may be read with some', async () => {
    const { id } = await declared(aChild({ 'child.nid': 'SECRET1' }));
    const exact = { type: 'exact', term: 'SECRET1' };
    const stranger = await clientWith('record.search');
    expect(await search(stranger, { data: { 'child.nid': exact } })).toEqual({
      status: 403,
      code: 'FORBIDDEN',
      message: 'Secured fields can be searched and sorted by only with the scope record.read',
      issues: [{ message: 'query.clauses[0].data["child.nid"]: child.nid is a secured field' }],
    });
    expect((await search(stranger, { data: exact })).status).toBe(403);
    const counted = await count(stranger, { id }, { data: { 'child.nid': exact } }, { data: exact });
    expect([counted.status, counted.json]).toMatchObject([
      403,
      {
        issues: [
          { message: 'queries[1].query.clauses[0].data["child.nid"]: child.nid is a secured field' },
          { message: expect.stringMatching(/^queries\[2\]\.query\.clauses\[0\]\.data: any field/) as string },
        ],
      },
    ]);
    expect((await search(stranger, { id }, { sort: [{ field: 'dateOfEvent' }] })).status).toBe(403);
    const totals = async (caller: EventCaller) => [
      (await search(caller, { data: { 'child.nid': exact } })).total,
      (await search(caller, { data: exact })).total,
      (await count(caller, { data: { 'child.nid': exact } }, { data: exact }, { id })).json,
    ];
    expect(await totals(registrar)).toEqual([1, 1, { totals: [1, 1, 1] }]);
    const reader = await clientWith('record.search', 'type=record.read&event=death');
    expect(await totals(reader)).toEqual([0, 0, { totals: [0, 0, 1] }]);
  });

  it('cannot be asked for by a webhook whose client may read nothing', async () => {
    const { shaSecret, token } = await service.registerClient('WEBHOOK');
    const query = { clauses: [{ data: { 'child.nid': { type: 'exact', term: '1' } } }] };
    const hub = {
      topic: 'BIRTH_REGISTERED',
      mode: 'subscribe',
      callback: 'https://example.org/',
      secret: shaSecret,
      query,
    };
    const { status, json } = await service.request('POST', '/webhooks', { token, body: { hub } });
    expect([status, json]).toMatchObject([
      403,
      { issues: [{ message: 'hub.query.clauses[0].data["child.nid"]: child.nid is a secured field' }] },
    ]);
  });
});

describe('a notification', () => {
  it('holds secured fields only for clients who may read the record', async () => {
    const { database } = running.database;
    const subscribed = async (...scopes: readonly string[]): Promise<string> => {
      const { clientId } = await service.registerClient('WEBHOOK');
      await database.query(sql`update system_client set scopes = ${scopes}::text[] where client_id = ${clientId}`);
      await database.query(sql`
        insert into webhook_subscription (id, client_id, topic, callback, format)
        values (${randomUUID()}, ${clientId}, 'BIRTH_REGISTERED', 'https://127.0.0.1:1/', 'standard')`);
      return clientId;
    };
    const reader = await subscribed('webhook', 'record.read');
    const stranger = await subscribed('webhook', 'record.search');
    const unsealed = await subscribed('webhook', ...NOT_SEALED);
    const { id } = await declared(aChild({ 'child.dob': '2026-01-17' }));
    expect((await register(id)).status).toBe(200);
    const sent = await database.query<{ clientId: string; body: string }>(sql`
      select s.client_id as "clientId", c.body from webhook_delivery d
        join webhook_subscription s on s.id = d.subscription_id join webhook_context c on c.id = d.context_id
       where d.event_id = ${id}`);
    const isTold = (client: string) => sent.find(({ clientId }) => clientId === client)?.body.includes('2026-01-17');
    expect([isTold(reader), isTold(stranger), isTold(unsealed)]).toEqual([true, false, true]);
  });
});

describe('a sealed record', () => {
  it('is answered like one that does not exist, whatever is asked of it', async () => {
    const { id, trackingId } = await declared(aChild({ 'mother.nid': 'MSEAL' }));
    const registered = await register(id);
    const number = registered.event.actions.find(({ registrationNumber }) => registrationNumber)?.registrationNumber;
    expect((await custom(id, 'SEAL')).status).toBe(200);
    const caller = await clientWith(...NOT_SEALED, 'record.notify', 'attachment.upload');
    const user = await userWith('clerk', ...NOT_SEALED, 'record.declare', 'record.notify');
    const absent = randomUUID();

    for (const clause of [
      { id },
      { trackingId: { type: 'exact', term: trackingId } },
      { 'legalStatuses.REGISTERED.registrationNumber': { type: 'exact', term: number } },
      { data: { 'mother.nid': { type: 'exact', term: 'MSEAL' } } },
      { data: { type: 'fuzzy', term: 'MSEAL' } },
      { flags: { anyOf: ['sealed'] } },
    ]) {
      expect(await search(caller, clause)).toEqual({ status: 200, total: 0, results: [] });
      expect((await search(registrar, clause)).total).toBe(1);
    }
    const answers = async (event: string) => {
      const body = { ...tx(), declaration: {} };
      const all = [
        await caller.get(event),
        await caller.post(`/${event}/notify`, { ...body, createdAtLocation: OFFICE }),
        await user.post(`/${event}/actions/declare`, body),
        await user.post(`/${event}/actions/assign`, tx()),
        await user.delete(event),
      ];
      return all.map(({ status, message }) => [status, message.replace(event, '<id>')]);
    };
    expect(await answers(id)).toEqual(await answers(absent));
    expect((await custom(id, 'UNSEAL')).status).toBe(200);
    expect((await search(caller, { id })).total).toBe(1);
  });

  it('does not answer a repetition of what was done before it was sealed', async () => {
    const clerk = await userWith('clerk', ...NOT_SEALED, 'record.create', 'record.declare');
    const { event } = await clerk.post('', { ...tx(), type: 'birth' });
    const body = { ...tx(), declaration: aChild() };
    expect((await clerk.post(`/${event.id}/actions/declare`, body)).status).toBe(200);
    await registrar.post(`/${event.id}/actions/assign`, tx());
    expect((await register(event.id)).status).toBe(200);
    expect((await clerk.post(`/${event.id}/actions/declare`, body)).status).toBe(200);
    await custom(event.id, 'SEAL');
    expect((await clerk.post(`/${event.id}/actions/declare`, body)).status).toBe(404);
  });
});

describe('a duplicate', () => {
  it('is flagged when it is declared, is not registered, and is registered once it is marked as none', async () => {
    const child = aChild();
    const first = await declared(child);
    expect(course(first)).not.toContain('DUPLICATE_DETECTED Accepted');
    const second = await declared({ ...child, 'child.nid': 'OTHER', 'child.dob': '2026-02-24' });
    expect(course(second)).toContain('DUPLICATE_DETECTED Accepted');
    const [record] = (await search(registrar, { id: second.id })).results;
    const listed = { id: first.id, trackingId: first.trackingId };
    expect([record?.flags, record?.potentialDuplicates]).toEqual([['potential-duplicate'], [listed]]);
    expect((await register(second.id)).status).toBe(409);

    const review = await service.request('GET', `/events/${second.id}/duplicates`, { token: registrar.token });
    expect(review.json).toMatchObject([{ id: first.id }]);
    expect((review.json as AnsweredEvent[]).map((event) => course(event).at(-1))).toEqual(['READ Accepted']);

    await registrar.post(`/${second.id}/actions/mark-as-not-duplicate`, { ...tx(), keepAssignment: true });
    expect(course((await register(second.id)).event)).toContain('REGISTER Accepted');

    // The earlier one meets the later one when it is registered, and stays as it is.
    const met = await register(first.id);
    expect([met.status, course(met.event).at(-1)]).toEqual([200, 'DUPLICATE_DETECTED Accepted']);
    expect((await search(registrar, { id: first.id })).results[0]?.flags).toEqual(['potential-duplicate']);
  });

  it('is not found in a sealed record, and names none to whoever must not know of it', async () => {
    const child = aChild();
    const first = await declared(child);
    const second = await declared(child);
    await register(first.id).then(() => registrar.post(`/${first.id}/actions/mark-as-not-duplicate`, tx()));
    await registrar.post(`/${first.id}/actions/assign`, tx());
    await register(first.id);
    expect((await custom(first.id, 'SEAL')).status).toBe(200);
    const third = await declared({ ...child, 'child.nid': 'THIRD' });
    const duplicates = async (caller: EventCaller, id: string) =>
      (await search(caller, { id })).results[0]?.potentialDuplicates.map((other) => other.id);
    expect(await duplicates(registrar, third.id)).toEqual([second.id]);

    const clerk = await userWith('clerk', ...NOT_SEALED, notSealed('review-duplicates'));
    expect([await duplicates(registrar, second.id), await duplicates(clerk, second.id)]).toEqual([[first.id], []]);
    expect(JSON.stringify((await clerk.get(second.id)).event)).not.toContain(first.id);
    const review = await service.request('GET', `/events/${second.id}/duplicates`, { token: clerk.token });
    expect(review.status).toBe(404);
    const [before, after] = [
      course((await registrar.get(second.id)).event),
      course((await registrar.get(first.id)).event),
    ];
    expect([
      before.filter((one) => one === 'READ Accepted').length,
      after.filter((one) => one === 'READ Accepted').length,
    ]).toEqual([2, 1]);

    // Who may read no record is shown those that he reviews.
    const reviewer = await userWith('reviewer', ...['search', 'review-duplicates'].map(notSealed));
    const shown = await service.request('GET', `/events/${third.id}/duplicates`, { token: reviewer.token });
    expect(shown.json).toMatchObject([{ id: second.id }]);
    expect(shown.body).not.toContain(first.id);
  });
});
