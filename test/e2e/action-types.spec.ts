import { randomUUID } from 'node:crypto';
import { createTRPCUntypedClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import superjson from 'superjson';
import { LIFE_CYCLE } from '../../src/kernel/domain/life-cycle/life-cycle.js';
import { LAKE, NORTH, OFFICE, WARD } from '../support/areas.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { type AnsweredEvent, course, eventCaller, startEventService } from '../support/event-service.js';
import { type NAMES_OF_ACTIONS, proceduresOf } from '../support/procedure-names.js';

interface Operation {
  readonly requestBody?: { readonly content: { readonly 'application/json'?: { readonly schema: Schema } } };
}
interface Schema {
  readonly allOf?: readonly { readonly properties?: { readonly type?: { readonly enum: readonly string[] } } }[];
}

let running: Awaited<ReturnType<typeof startEventService>>;
beforeAll(async () => {
  running = await startEventService();
});
afterAll(() => running.stop());

const OTHER = 'eventId: must be that of the path';

/** What some actions need besides. */
const needed = (path: string): object => ({
  ...(/\/(?:archive|reject)$/.test(path) && { content: { reason: 'a reason' } }),
  ...(/correction\/(?:approve|reject)$/.test(path) && { requestId: aUuid() }),
  ...(path === '/events/notify' && { eventType: 'birth', createdAtLocation: OFFICE }),
  ...(path === '/events/notifications' && { eventId: aUuid(), createdAtLocation: OFFICE }),
});

it('a body names the type that the document says of its action, and the event of its path (E-4)', async () => {
  const { service } = running;
  const { json } = await service.request('GET', '/openapi.json');
  const { paths } = json as { readonly paths: Readonly<Record<string, { readonly post?: Operation }>> };
  const scope = ['record.create', ...Object.values(LIFE_CYCLE).flatMap(({ permissions }) => permissions)];
  const user = { sub: 'registrar', userType: 'user', scope, office: OFFICE } as const;
  const { clientId } = await service.registerClient('HEALTH');
  const [ofUser, ofClient] = [
    eventCaller(service, await service.issuer.token(user)),
    eventCaller(service, await service.issuer.token({ sub: clientId, userType: 'system', scope })),
  ];
  const documented: unknown[] = [];
  const checked: unknown[] = [];
  for (const [path, { post }] of Object.entries(paths)) {
    const types = post?.requestBody?.content['application/json']?.schema.allOf?.flatMap(
      ({ properties }) => properties?.type?.enum ?? [],
    );
    if (types === undefined || !path.startsWith('/events/')) continue;
    const at = path.replace('{eventId}', aUuid()).replace('{customActionType}', 'SEAL').slice('/events'.length);
    const caller = path === '/events/notify' ? ofClient : ofUser;
    const isBelow = path.startsWith('/events/{eventId}/');
    const body = { transactionId: 'tx', type: 'READ', ...(isBelow && { eventId: aUuid() }), ...needed(path) };
    const { status, issues } = await caller.post(at, body);
    const faults = [...types.map((type) => `type: must be "${type}"`), ...(isBelow ? [OTHER] : [])];
    documented.push([path, 400, faults.map((message) => ({ message }))]);
    checked.push([path, status, issues]);
  }
  expect(documented.length).toBe(22);
  expect(checked).toEqual(documented);
});

it('each action that may be requested has a route and a procedure, for whom the life cycle says (I-4)', async () => {
  const { service } = running;
  const { json } = await service.request('GET', '/openapi.json');
  const routed = new Set(JSON.stringify(json).match(/(?<="type":{"enum":\[")[A-Z_]+/g));
  const none = await service.issuer.token({ sub: 'nobody', userType: 'user', scope: ['webhook'] });
  const { token: client } = await service.registerClient('HEALTH');
  for (const [type, { by }] of Object.entries(LIFE_CYCLE)) {
    if (by.length === 0) continue;
    expect([type, routed.has(type) || ['CREATE', 'READ', 'DELETE'].includes(type)]).toEqual([type, true]);
    for (const name of proceduresOf(type as keyof typeof NAMES_OF_ACTIONS)) {
      const call = async (token: string) =>
        (await service.request('POST', `/events/${name}`, { token, body: { json: {} } })).status;
      const isAssignment = name.includes('.assignment.');
      expect([name, await call(none)]).toEqual([name, isAssignment ? 400 : 403]);
      if (!by.includes('system') && !/(accept|reject)$/.test(name)) expect(await call(client)).toBe(403);
    }
  }
});

it.each([
  [404, 'record.read&event=death'],
  [403, 'record.read'],
])('%i is for what no scope names, to a caller who has %s (E-11)', async (refused, read) => {
  const { service } = running;
  const named = ['record.print-certified-copies&templates=short', 'record.custom-action&customActionTypes=SEAL'];
  const callerWith = async (...scopes: readonly string[]) => {
    const scope = scopes.map((one) => `type=${one}`);
    return eventCaller(
      service,
      await service.issuer.token({ sub: 'registrar', userType: 'user', scope, office: OFFICE }),
    );
  };
  const registrar = await callerWith('record.create', 'record.register', 'record.declare');
  const kept = () => ({ transactionId: randomUUID(), keepAssignment: true });
  const { id } = (await registrar.post('', { transactionId: randomUUID(), type: 'birth' })).event;
  for (const action of ['declare', 'register']) await registrar.post(`/${id}/actions/${action}`, kept());
  const caller = await callerWith(...named, read);
  const statusOf = async (action: string, content?: object) =>
    (await caller.post(`/${id}/actions/${action}`, { ...kept(), content })).status;
  expect([
    await statusOf('print-certificate', { templateId: 'long' }),
    await statusOf('print-certificate'),
    await statusOf('custom/APPROVE'),
    await statusOf('print-certificate', { templateId: 'short' }),
    await statusOf('custom/SEAL'),
  ]).toEqual([refused, refused, refused, 200, 200]);
});

describe('a stock client of tRPC (I-4)', () => {
  const clientOf = (token: string) =>
    createTRPCUntypedClient({
      links: [
        httpBatchLink({
          url: `${running.service.publicUrl}/events`,
          transformer: superjson,
          headers: { authorization: `Bearer ${token}` },
        }),
      ],
    });
  const userOf = (sub: string, ...scope: readonly string[]) =>
    running.service.issuer.token({ sub, userType: 'user', scope, office: OFFICE });
  const tx = () => ({ transactionId: randomUUID() });
  const failureOf = (call: Promise<unknown>): Promise<unknown> =>
    call.catch((error: unknown) =>
      error instanceof TRPCClientError ? { message: error.message, ...(error.data as object) } : error,
    );

  it('takes an event through its life, by the names and with the members of upstream', async () => {
    const scope = Object.values(LIFE_CYCLE).flatMap(({ permissions }) => permissions);
    const client = clientOf(await userOf('registrar', ...scope));
    const draft = (await client.mutation('event.create', { ...tx(), type: 'birth' })) as AnsweredEvent;
    const eventId = draft.id;
    const act = async (name: string, more: object = {}) =>
      (await client.mutation(`event.actions.${name}`, {
        eventId,
        ...tx(),
        keepAssignment: true,
        ...more,
      })) as AnsweredEvent;
    const declaration = { 'child.name': { firstname: 'Ana', surname: 'Musonda' } };
    await act('declare.request', { type: 'DECLARE', declaration, annotation: undefined });
    await act('register.request', { type: 'REGISTER' });
    await act('printCertificate.request', { content: { templateId: 'short' } });
    const asked = await act('correction.request.request', { declaration: { 'child.dob': '2026-02-20' } });
    const requestId = asked.actions.findLast(({ type }) => type === 'REQUEST_CORRECTION')?.id;
    await act('correction.approve.request', { requestId });
    await act('custom.request', { customActionType: 'SEAL' });
    await act('assignment.unassign', { type: 'UNASSIGN', assignedTo: null });
    const event = await act('assignment.assign', { type: 'ASSIGN', assignedTo: 'registrar' });
    const accepted = event.actions.filter(({ status }) => status === 'Accepted').map(({ type }) => type);
    expect(accepted).toEqual([
      ...['CREATE', 'ASSIGN', 'DECLARE', 'REGISTER', 'PRINT_CERTIFICATE', 'REQUEST_CORRECTION', 'APPROVE_CORRECTION'],
      ...['CUSTOM', 'UNASSIGN', 'ASSIGN'],
    ]);
    expect(event.actions.find(({ type }) => type === 'CUSTOM')).toMatchObject({ customActionType: 'SEAL' });
    expect(await failureOf(act('archive.request'))).toEqual({
      ...{ message: 'Input validation failed', code: 'BAD_REQUEST', httpStatus: 400 },
      path: 'event.actions.archive.request',
      issues: [{ message: 'content.reason: is required and must be text of 1 to 10000 characters' }],
    });
    const gone = (await client.mutation('event.create', { ...tx(), type: 'birth' })) as AnsweredEvent;
    expect(await client.mutation('event.delete', { eventId: gone.id })).toEqual({ id: gone.id });
    // Two that are sent together are one batch.
    const none = { code: 'NOT_FOUND', httpStatus: 404, message: `Event not found with ID: ${gone.id}` };
    const both = [failureOf(client.query('event.get', { eventId: gone.id })), failureOf(client.query('no.such'))];
    expect(await Promise.all(both)).toMatchObject([none, { message: 'No procedure found on path "no.such"' }]);
  });

  /** A registration that waits for its confirmation. */
  const pendingRegistration = async (): Promise<{ readonly eventId: string; readonly actionId: string }> => {
    const { service } = running;
    const importer = await service.issuer.token({ sub: 'importer', userType: 'user', scope: ['record.import'] });
    const [id, actionId, createdAt] = [randomUUID(), randomUUID(), '2026-02-20T10:00:00.000Z'];
    const action = {
      createdAt,
      createdBy: 'r',
      createdByUserType: 'user',
      createdAtLocation: OFFICE,
      declaration: {},
    };
    const actions = ['CREATE', 'DECLARE', 'REGISTER'].map((type) => ({
      ...{ ...action, ...tx(), type, id: type === 'REGISTER' ? actionId : randomUUID() },
      status: type === 'REGISTER' ? 'Requested' : 'Accepted',
    }));
    const trackingId = id.slice(0, 6).toUpperCase();
    const body = JSON.stringify({ id, type: 'birth', trackingId, createdAt, updatedAt: createdAt, actions });
    const headers = { 'content-type': 'application/x-ndjson' };
    const bulk = { token: importer, body, headers, listener: 'internal' } as const;
    expect((await service.request('POST', '/events/bulk-import', bulk)).json).toMatchObject({ imported: 1 });
    return { eventId: id, actionId };
  };

  it('walks through what the end-to-end tests of a country ask for', async () => {
    const { service } = running;
    const { json } = await service.request('GET', '/location?name=Office&status=active&_count=0&_sort=name');
    const { entry } = json as { readonly entry: readonly { readonly resource: { readonly id: string } }[] };
    const createdAtLocation = entry.find(({ resource: { id } }) => id === OFFICE)?.resource.id;
    const hospital = eventCaller(service, (await service.registerClient('HEALTH')).token);
    const draft = { ...tx(), type: 'birth', createdAtLocation, dateOfEvent: { fieldId: 'child.dob' } };
    const { id: eventId } = (await hospital.post('', draft)).event;
    const notice = { ...tx(), eventId, type: 'NOTIFY', eventType: 'birth', createdAtLocation };
    const declaration = { 'child.name': { firstname: 'Ana', surname: 'Musonda' }, 'child.dob': '2026-02-20' };
    const notified = await hospital.post(`/${eventId}/notify`, { ...notice, declaration });
    expect([notified.status, course(notified.event).at(-1)]).toEqual([200, 'NOTIFY Accepted']);

    const scope = Object.values(LIFE_CYCLE).flatMap(({ permissions }) => permissions);
    const registrar = clientOf(await userOf('registrar', ...scope));
    const act = (name: string, more: object = {}) =>
      registrar.mutation(`event.actions.${name}.request`, { eventId, ...tx(), keepAssignment: true, ...more });
    await registrar.mutation('event.actions.assignment.assign', { eventId, ...tx(), assignedTo: 'registrar' });
    await act('edit', { type: 'EDIT', declaration });
    await act('declare', { type: 'DECLARE' });
    await act('register', { type: 'REGISTER' });
    const change = { declaration: { 'child.dob': '2026-02-21' } };
    const asked = (await act('correction.request', { type: 'REQUEST_CORRECTION', ...change })) as AnsweredEvent;
    const requestId = asked.actions.findLast(({ type }) => type === 'REQUEST_CORRECTION')?.id;
    const corrected = (await act('correction.approve', { type: 'APPROVE_CORRECTION', requestId })) as AnsweredEvent;
    const accepted = (event: AnsweredEvent) => course(event).filter((one) => one.endsWith(' Accepted'));
    expect(accepted(corrected)).toEqual(
      ['CREATE', 'NOTIFY', 'ASSIGN', 'EDIT', 'DECLARE', 'REGISTER', 'REQUEST_CORRECTION', 'APPROVE_CORRECTION'].map(
        (type) => `${type} Accepted`,
      ),
    );

    const mosip = clientOf((await service.registerClient('EXTERNAL_VALIDATION')).token);
    const confirm = async (answer: string, more: object = {}) =>
      mosip.mutation(`event.actions.register.${answer}`, { ...tx(), ...(await pendingRegistration()), ...more });
    const number = { registrationNumber: '2026-78', declaration: { 'child.nid': '1234567890' } };
    const [yes, no] = [await confirm('accept', number), await confirm('reject')] as AnsweredEvent[];
    expect(yes?.actions.at(-1)).toMatchObject({ type: 'REGISTER', status: 'Accepted', ...number });
    expect(no?.actions.at(-1)).toMatchObject({ type: 'REGISTER', status: 'Rejected' });
  });

  it('confirms requested actions, as mosip-api does', async () => {
    const { service } = running;
    const client = clientOf((await service.registerClient('EXTERNAL_VALIDATION')).token);
    const [one, two] = [await pendingRegistration(), await pendingRegistration()];
    const declaration = { 'child.nid': '1234567890' };
    const number = { registrationNumber: '2026-77', declaration };
    const done = await client.mutation('event.actions.register.accept', { ...tx(), ...one, ...number });
    expect((done as AnsweredEvent).actions.at(-1)).toMatchObject({ status: 'Accepted', ...number });
    const no = await client.mutation('event.actions.register.reject', { ...tx(), ...two });
    expect((no as AnsweredEvent).actions.at(-1)).toMatchObject({ type: 'REGISTER', status: 'Rejected' });
    expect(await failureOf(client.mutation('event.actions.declare.accept', { ...tx(), ...two }))).toMatchObject({
      ...{
        code: 'BAD_REQUEST',
        message: `Action ${two.actionId} is of type REGISTER, cannot be confirmed as DECLARE.`,
      },
    });
  });

  it('reads the user himself, and the hierarchy of his office', async () => {
    const { service } = running;
    const token = await service.issuer.token({ sub: 'anna', scope: ['natlsysadmin'] });
    const body = {
      ...{ username: 'bea', name: { firstname: 'Bea', surname: 'Banda' }, role: 'LOCAL_REGISTRAR' },
      ...{ primaryOfficeId: OFFICE, password: 'a long enough password 1' },
    };
    const made = await service.request('POST', '/users', { token, body, listener: 'internal' });
    const { id } = made.json as { id: string };
    const himself = clientOf(await userOf(id));
    expect(await himself.query('user.get', id)).toEqual(made.json);
    expect(await failureOf(himself.query('user.get', randomUUID()))).toMatchObject({ code: 'FORBIDDEN' });
    expect(await clientOf(token).query('user.get', id)).toEqual(made.json);
    const hierarchy = (locationId: string) => himself.query('locations.getLocationHierarchy', { locationId });
    expect(await hierarchy(OFFICE)).toEqual([NORTH, LAKE, WARD, OFFICE]);
    expect(await failureOf(hierarchy(randomUUID()))).toMatchObject({ code: 'NOT_FOUND' });
  });
});
