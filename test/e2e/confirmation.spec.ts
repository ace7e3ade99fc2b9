import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { sql } from '../../src/kernel/sql/sql.js';
import type { RunningApplication } from '../support/application.js';
import { OFFICE } from '../support/areas.js';
import { aSecretsKey, matricula, succeed } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import {
  aNotification,
  type AnsweredEvent,
  course,
  type EventCaller,
  eventCaller,
  startEventService,
} from '../support/event-service.js';
import { freePort } from '../support/free-port.js';
import { endedWithFile } from '../support/left-over.js';
import { startScriptedSubscriber } from '../support/scripted-subscriber.js';

const SECRETS_KEY = aSecretsKey();

let running: Awaited<ReturnType<typeof startEventService>>;
let service: RunningApplication;
let port: number;
let clinic: EventCaller;
let registrar: EventCaller;
let confirmer: EventCaller;
let credentials: { readonly clientId: string; readonly clientSecret: string };
let administrator: string;
let country: ChildProcess;

beforeAll(async () => {
  port = await freePort();
  running = await startEventService({
    SECRETS_KEY,
    COUNTRY_CONFIG_URL: `http://127.0.0.1:${port}`,
    // Longer than the country configuration takes to answer on a busy machine.
    CONFIRMATION_WAIT_SECONDS: '8',
    // Longer than it is away.
    WEBHOOK_RETRY_SECONDS: `0.1,0.1,${'0.5,'.repeat(300)}1`,
  });
  ({ service } = running);
  clinic = eventCaller(service, (await service.registerClient('HEALTH')).token);
  credentials = await service.registerClient('EXTERNAL_VALIDATION');
  const scope = ['create', 'read', 'declare', 'register', 'archive'].map((one) => `record.${one}`);
  registrar = eventCaller(
    service,
    await service.issuer.token({ sub: 'registrar', userType: 'user', scope, office: OFFICE }),
  );
  confirmer = eventCaller(
    service,
    await service.issuer.token({ sub: credentials.clientId, userType: 'system', scope: ['ageCheck'] }),
  );
  administrator = await service.issuer.token({ sub: 'admin', userType: 'user', scope: ['sysadmin'] });
  country = await startCountry();
});
afterAll(() => running.stop());

/** As `examples/country-configuration/README.md` says. */
async function startCountry(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['examples/country-configuration/country-configuration.mjs'], {
    env: {
      PATH: process.env.PATH,
      MATRICULA_URL: service.publicUrl,
      CLIENT_ID: credentials.clientId,
      CLIENT_SECRET: credentials.clientSecret,
      PORT: String(port),
      DELAY_SECONDS: '0.3',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endedWithFile(() => ended(child));
  await once(createInterface(child.stdout), 'line');
  return child;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const tx = () => ({ transactionId: randomUUID() });

const answerOf = ({ actions }: AnsweredEvent, type: string) =>
  actions.findLast((action) => action.type === type && action.status !== 'Requested');

/** The event as it is, once its course ends like this. */
async function withEnd(id: string, ...end: readonly string[]): Promise<AnsweredEvent> {
  let event: AnsweredEvent | undefined;
  await eventually(`${id} ends with ${end.join(', ')}`, async () => {
    ({ event } = await registrar.get(id));
    const last = course(event).filter((one) => !/^(READ|ASSIGN|UNASSIGN) /.test(one));
    return last.slice(-end.length).join() === end.join();
  });
  if (event === undefined) throw new Error('there is no event');
  return event;
}

/** An event of the registrar, who has declared it: the country configuration accepts that later. */
async function declared(): Promise<{ readonly id: string; readonly actionId: string; readonly first: AnsweredEvent }> {
  const { event: draft } = await registrar.post('', { type: 'birth', ...tx() });
  const { event: first } = await registrar.post(`/${draft.id}/actions/declare`, {
    ...{ declaration: { 'child.name': { firstname: 'Ana', surname: 'Musonda' } }, ...tx() },
  });
  const actionId = first.actions.find(({ type }) => type === 'DECLARE')?.id ?? '';
  return { id: draft.id, actionId, first };
}

describe('with a country configuration (examples/country-configuration)', () => {
  it('a request is accepted, or rejected with its reason, before its caller is answered', async () => {
    const accepted = await clinic.post('/notify', aNotification({ eventType: 'birth' }));
    expect(course(accepted.event)).toEqual(['CREATE Accepted', 'NOTIFY Requested', 'NOTIFY Accepted']);
    const unborn = aNotification({ eventType: 'birth', declaration: { 'child.dob': '2999-01-01' } });
    const rejected = await clinic.post('/notify', unborn);
    expect([rejected.status, course(rejected.event).at(-1)]).toEqual([200, 'NOTIFY Rejected']);
    expect((await registrar.get(rejected.event.id)).event.actions).toContainEqual(
      expect.objectContaining({
        status: 'Rejected',
        annotation: { reason: 'child.dob: 2999-01-01 is in the future' },
      }),
    );
  });

  it('a request that is answered by 202 is accepted later, with the token of a client', async () => {
    const { id, first } = await declared();
    expect(course(first)).toContain('DECLARE Requested');
    expect(course(first)).not.toContain('DECLARE Accepted');
    const event = await withEnd(id, 'DECLARE Accepted');
    expect(answerOf(event, 'DECLARE')).toMatchObject({
      ...{ createdBy: credentials.clientId, createdByUserType: 'system', annotation: { parents: 'known' } },
    });
    await registrar.post(`/${id}/actions/assign`, tx());
    const { event: registered } = await registrar.post(`/${id}/actions/register`, tx());
    expect(answerOf(registered, 'REGISTER')?.registrationNumber).toBe(`EX-${registered.trackingId}`);
  });

  it('it reads places and the event, and has its token verified, with the token of the trigger, and no more', async () => {
    await ended(country);
    const other = (await clinic.post('/notify', aNotification({ eventType: 'birth' }))).event.id;
    const scripted = await startScriptedSubscriber({ tls: false, port });
    const seen: unknown[] = [];
    const ask = async (token: string, eventId: string): Promise<void> => {
      const own = eventCaller(service, token);
      const places = await service.request('GET', '/locations', { token });
      const verified = await service.request('POST', '/auth/verifyToken', { body: { token } });
      const event = await own.get(eventId);
      seen.push([
        places.status,
        verified.json,
        event.status,
        event.event.actions.some(({ type }) => type === 'NOTIFY'),
      ]);
      const search = { token, body: { query: { clauses: [] } } };
      const refused = [
        (await own.get(other)).status,
        (await own.post(`/${eventId}/notify`, tx())).status,
        (await own.post(`/${eventId}/actions/assign`, tx())).status,
        (await service.request('POST', '/events/search', search)).status,
        (await service.request('GET', '/webhooks', { token })).status,
        (await service.request('GET', '/confirmations', { token, listener: 'internal' })).status,
      ];
      seen.push(refused);
    };
    scripted.behave(({ headers, body }, answer) => {
      const { id: eventId } = JSON.parse(body.toString()) as { readonly id: string };
      const isOther = eventId === other;
      void (isOther ? Promise.resolve() : ask(headers.authorization?.slice('Bearer '.length) ?? '', eventId)).then(() =>
        answer.writeHead(200).end(),
      );
    });
    const { event } = await clinic.post('/notify', aNotification({ eventType: 'birth' }));
    const end = await withEnd(event.id, 'NOTIFY Accepted');
    await scripted.close();
    country = await startCountry();
    expect(seen).toEqual([
      [200, { valid: true }, 200, true],
      [404, 403, 403, 403, 403, 403],
    ]);
    expect(end.actions.filter(({ type }) => type === 'READ')[0]).toMatchObject({
      ...{ createdBy: 'matricula', createdByUserType: 'system' },
    });
  });

  it('requests wait while it is away, are listed, and are confirmed once when it is back', async () => {
    await ended(country);
    const requested = await Promise.all(
      Array.from({ length: 20 }, () => clinic.post('/notify', aNotification({ eventType: 'birth' }))),
    );
    for (const { event } of requested) expect(course(event).at(-1)).toBe('NOTIFY Requested');
    const { json } = await service.request('GET', '/confirmations?status=pending&limit=5', {
      ...{ token: administrator, listener: 'internal' as const },
    });
    const { confirmations, cursor } = json as { confirmations: { attempts: object[] }[]; cursor: string };
    expect([confirmations.length, cursor.length > 0]).toEqual([5, true]);
    expect(confirmations[0]?.attempts[0]).toMatchObject({ status: null, error: 'connect: ECONNREFUSED' });
    country = await startCountry();
    for (const { event } of requested) {
      const end = await withEnd(event.id, 'NOTIFY Accepted');
      expect(end.actions.filter(({ type }) => type === 'NOTIFY')).toHaveLength(2);
    }
  });

  it('what has an answer cannot be replayed, and what is unknown neither', async () => {
    const { event } = await clinic.post('/notify', aNotification({ eventType: 'death' }));
    const actionId = event.actions.find(({ type }) => type === 'NOTIFY')?.id ?? '';
    const replay = (id: string) =>
      service.request('POST', `/confirmations/${id}/replay`, { token: administrator, listener: 'internal' });
    expect([(await replay(actionId)).status, (await replay(randomUUID())).status]).toEqual([409, 404]);
    const all = await service.request('POST', '/confirmations/replay', {
      ...{ token: administrator, listener: 'internal' as const, body: { until: '2020-01-01T00:00:00Z' } },
    });
    expect([all.status, all.json]).toEqual([202, { replayed: 0 }]);
    const env = { SECRETS_KEY, DATABASE_URL: running.database.url };
    const [listed, notices, again] = await Promise.all([
      succeed(['confirmations', 'list', '--limit', '1', '--json'], env),
      succeed(['notices', 'list', '--limit', '1'], env),
      matricula(['confirmations', 'replay', '--action', actionId], env),
    ]);
    expect((JSON.parse(listed) as { confirmations: object[] }).confirmations).toEqual([
      expect.objectContaining({ actionId, eventType: 'death', actionType: 'NOTIFY', status: 'accepted' }),
    ]);
    expect(notices.split('\n')[0]).toBe('2fa                     pending 0, delivered 0, expired 0, dead 0');
    const ready = await service.request('GET', '/health/ready');
    expect(ready.json).toMatchObject({ status: 'up', checks: { confirmations: 'up', notices: 'up' } });
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining(`Action ${actionId} is not awaiting confirmation.`),
    ]);
    const byClient = { token: clinic.token, listener: 'internal' as const };
    expect((await service.request('GET', '/confirmations', byClient)).status).toBe(403);
    expect((await service.request('GET', '/confirmations', { token: administrator })).status).toBe(404);
  });
});

describe('a confirmation over HTTP (E-8)', () => {
  let id: string;
  let actionId: string;
  beforeAll(async () => {
    await ended(country);
    ({ id, actionId } = await declared());
  });

  it('is for system clients alone, whatever the scopes of a user', async () => {
    const scope = ['record.action.accept', 'record.action.reject'];
    const user = eventCaller(service, await service.issuer.token({ sub: 'user', userType: 'user', scope }));
    for (const verb of ['accept', 'reject']) {
      expect((await user.post(`/${id}/actions/${actionId}/${verb}`, { eventId: id, ...tx() })).status).toBe(403);
      expect((await clinic.post(`/${id}/declare/${verb}`, { eventId: id, ...tx() })).status).toBe(403);
    }
  });

  it('says every fault of its body, and what is not there', async () => {
    const other = randomUUID();
    const faulty = { eventId: other, actionId: other, type: 'NOTHING', declaration: { a: 1 }, content: { why: 1 } };
    const refused = await confirmer.post(`/${id}/actions/${actionId}/reject`, { ...faulty, ...tx() });
    expect([refused.status, refused.issues?.map(({ message }) => message)]).toEqual([
      400,
      [
        'eventId: must be that of the path',
        'actionId: must be that of the path',
        'type: must be a type of action',
        'declaration: must be empty: a rejection changes nothing',
        'content.why: is not a known key; allowed: reason',
        'content.reason: is required and must be text of 1 to 10000 characters',
      ],
    ]);
    const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`field ${at}`, at]));
    const large = { eventId: id, declaration: many, annotation: many, ...tx() };
    const tooLarge = await confirmer.post(`/${id}/actions/${actionId}/accept`, large);
    expect([tooLarge.status, tooLarge.issues?.map(({ message }) => message)]).toEqual([
      400,
      ['declaration: has more than 2000 values', 'annotation: has more than 2000 values'],
    ]);
    const unknown = await confirmer.post(`/${id}/actions/${actionId}/accept`, { eventId: id, status: 1, ...tx() });
    expect([unknown.status, unknown.issues?.[0]?.message]).toEqual([
      400,
      expect.stringMatching(/^status: is not a known key/),
    ]);
    expect((await confirmer.post(`/${id}/nothing/accept`, { eventId: id, ...tx() })).status).toBe(404);
    const elsewhere = await confirmer.post(`/${other}/actions/${actionId}/accept`, { eventId: other, ...tx() });
    expect([elsewhere.status, elsewhere.message]).toEqual([404, `Event not found with ID: ${other}`]);
  });

  it('settles the request, once, and writes its row of the audit log', async () => {
    const body = { eventId: id, ...tx(), annotation: { seen: true } };
    const [one, two] = await Promise.all([
      confirmer.post(`/${id}/declare/accept`, body),
      confirmer.post(`/${id}/declare/accept`, body),
    ]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(course(one.event).filter((each) => each.startsWith('DECLARE'))).toEqual([
      'DECLARE Requested',
      'DECLARE Accepted',
    ]);
    const twice = await confirmer.post(`/${id}/actions/${actionId}/accept`, { eventId: id, actionId, ...tx() });
    expect([twice.status, twice.event.actions.length]).toEqual([200, one.event.actions.length]);
    // Under the other spelling of the path it is the same, and a transactionId is for one action alone (E-8).
    const renamed = await confirmer.post(`/${id}/actions/${actionId}/accept`, body);
    expect([renamed.status, renamed.event]).toEqual([200, twice.event]);
    const other = await confirmer.post(`/${id}/actions/${randomUUID()}/accept`, body);
    expect([other.status, other.message]).toEqual([409, 'This transactionId was used before, with other content']);
    const late = await confirmer.post(`/${id}/actions/${actionId}/reject`, { eventId: id, ...tx() });
    expect([late.status, late.message]).toEqual([400, 'Action has already been accepted.']);
    const rows = await running.database.database.query(sql`
      select operation from audit_log where client_id = ${credentials.clientId} and operation like '%declare.%'`);
    expect(rows.filter((row) => JSON.stringify(row).includes('declare.accept')).length).toBeGreaterThan(0);
    const [kept] = await running.database.database.query(sql`
      select status from confirmation where action_id = ${actionId}`);
    expect(kept).toEqual({ status: 'accepted' });
  });
});
