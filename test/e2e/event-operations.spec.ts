import { randomUUID } from 'node:crypto';
import { sql } from '../../src/kernel/sql/sql.js';
import type { RunningApplication } from '../support/application.js';
import { OFFICE, WARD } from '../support/areas.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { aNotification, course, type EventCaller, eventCaller, startEventService } from '../support/event-service.js';
import type { TestDatabase } from '../support/postgres.js';

const NOTIFIED = ['CREATE Accepted', 'NOTIFY Requested', 'NOTIFY Accepted'];

let running: Awaited<ReturnType<typeof startEventService>>;
let service: RunningApplication;
let database: TestDatabase;
let clinicId: string;
let clinic: EventCaller;
let registrar: EventCaller;
beforeAll(async () => {
  running = await startEventService();
  ({ service, database } = running);
  const registered = await service.registerClient('HEALTH');
  clinicId = registered.clientId;
  clinic = eventCaller(service, registered.token);
  registrar = await userWith('registrar', ...EVERYTHING);
});
afterAll(() => running.stop());

const EVERYTHING = [
  ...['create', 'read', 'notify', 'declare', 'edit', 'register', 'reject', 'archive', 'unarchive'],
  ...['print-certified-copies', 'correct', 'custom-action', 'revoke-registration', 'reinstate-registration'],
].map((operation) => `record.${operation}`);

const userWith = async (sub: string, ...scope: readonly string[]): Promise<EventCaller> =>
  eventCaller(service, await service.issuer.token({ sub, userType: 'user', scope, office: OFFICE }));

async function clientWith(...scope: readonly string[]): Promise<EventCaller> {
  const { clientId } = await service.registerClient('HEALTH');
  return eventCaller(service, await service.issuer.token({ sub: clientId, userType: 'system', scope }));
}

const found = async (trackingId: string): Promise<number> => {
  const query = { clauses: [{ trackingId: { type: 'exact', term: trackingId } }] };
  const { json } = await service.request('POST', '/events/search', { token: clinic.token, body: { query } });
  return (json as { total: number }).total;
};

const tx = () => ({ transactionId: randomUUID() });

describe('a notification', () => {
  it('makes an event that the next search finds, and is answered the same again', async () => {
    const body = aNotification({ eventType: 'birth' });
    const first = await clinic.post('/notify', body);
    expect([first.status, course(first.event)]).toEqual([200, NOTIFIED]);
    expect(first.event).toMatchObject({ type: 'birth', trackingId: expect.stringMatching(/^[0-9A-Z]{6}$/) as string });
    expect(first.event.actions[1]).toMatchObject({
      ...{ transactionId: body.transactionId, createdBy: clinicId, createdByUserType: 'system' },
      ...{ createdAtLocation: OFFICE, declaration: body.declaration },
    });
    expect(await found(first.event.trackingId)).toBe(1);
    const again = await clinic.post('/notify', Object.fromEntries(Object.entries(body).reverse()));
    expect([again.status, again.event]).toEqual([200, first.event]);
    const withoutEffect = { originalActionId: randomUUID(), waitFor: false, keepAssignmentIfRejected: true };
    expect((await clinic.post('/notify', { ...body, ...withoutEffect })).status).toBe(200);
    const other = await clinic.post('/notify', { ...body, declaration: {} });
    expect([other.status, other.message]).toEqual([409, 'This transactionId was used before, with other content']);
  });

  it('is refused for a number that would lose digits, and for a known date that is none (E-3)', async () => {
    const body = {
      ...aNotification({ eventType: 'birth' }),
      declaration: { 'child.weight': 0, 'child.dob': '2025-02-31' },
    };
    const text = JSON.stringify(body).replace('"child.weight":0', '"child.weight":3.1234567890123456789');
    const headers = { 'content-type': 'application/json' };
    const refused = await service.request('POST', '/events/notify', { token: clinic.token, headers, body: text });
    expect([refused.status, refused.json]).toMatchObject([
      400,
      {
        issues: [
          {
            message:
              'declaration["child.weight"]: must be a number that can be kept exactly; longer ones go in as text',
          },
        ],
      },
    ]);
    const { status, issues } = await clinic.post('/notify', body);
    expect([status, issues]).toEqual([400, [{ message: 'declaration["child.dob"]: Invalid input' }]]);
  });

  it('is of the same event and place however the letters of their UUIDs are written (S-7)', async () => {
    const [area, place] = ['aabbccdd-0000-4000-8000-0000000000aa', 'aabbccdd-0000-4000-8000-0000000000bb'];
    const capitals = (id: string): string => id.toUpperCase();
    const editor = await service.issuer.token({ scope: ['type=location.edit'] });
    const create = (path: string, body: object) => service.request('POST', path, { token: editor, body });
    await create('/administrative-areas', { id: capitals(area), name: 'Inland', parentId: null });
    const made = { id: capitals(place), name: 'Clinic', administrativeAreaId: capitals(area), locationType: null };
    expect((await create('/locations', made)).json).toMatchObject({ id: place, administrativeAreaId: area });

    const body = aNotification({ eventType: 'birth', createdAtLocation: capitals(place) });
    const declaration = { ...body.declaration, 'child.birthLocation': capitals(place) };
    const { event } = await clinic.post('/notify', { ...body, declaration });
    expect(event.actions[1]).toMatchObject({ createdAtLocation: place, declaration });
    expect((await registrar.get(capitals(event.id))).event.id).toBe(event.id);
    const within = { type: 'within', location: capitals(area) };
    const conditions = [
      { createdAtLocation: { type: 'exact', term: capitals(place) } },
      { createdAtLocation: within },
      { data: { 'child.birthLocation': within } },
      { data: { 'child.birthLocation': { type: 'exact', term: place } } },
      { createdBy: { type: 'exact', term: capitals(clinicId) } },
    ];
    for (const condition of conditions) {
      const query = { clauses: [{ id: capitals(event.id), ...condition }] };
      const { json } = await service.request('POST', '/events/search', { token: clinic.token, body: { query } });
      expect([condition, json]).toMatchObject([
        condition,
        { total: 1, results: [{ id: event.id, placeOfEvent: place }] },
      ]);
    }
  });

  it('is created with the dateOfEvent of published clients, which changes nothing (E-4)', async () => {
    const create = { ...tx(), type: 'birth', createdAtLocation: OFFICE };
    const first = await clinic.post('', { ...create, dateOfEvent: { fieldId: 'child.dob' } });
    const again = await clinic.post('', create);
    expect([first.status, again.status, again.event.id]).toEqual([200, 200, first.event.id]);
  });

  it('of a draft is the same under both names, and of another caller’s transactionId another one', async () => {
    const create = { ...tx(), type: 'birth', createdAtLocation: OFFICE };
    const [draft, others] = [await clinic.post('', create), await registrar.post('', { ...tx(), type: 'birth' })];
    expect(course(draft.event)).toEqual(['CREATE Accepted']);
    expect(course(others.event)).toEqual(['CREATE Accepted', 'ASSIGN Accepted']);
    expect((await clinic.post('', create)).event).toEqual(draft.event);
    expect(await found(draft.event.trackingId)).toBe(0);
    const body = aNotification();
    const notified = await clinic.post(`/${draft.event.id}/notify`, body);
    expect([notified.status, course(notified.event)]).toEqual([200, NOTIFIED]);
    const [eventId, eventType] = [draft.event.id.toUpperCase(), 'birth'];
    for (const path of [`/${draft.event.id}/notify`, '/notifications']) {
      const again = await clinic.post(path, { ...body, eventId, eventType });
      expect([path, again.status, again.event]).toEqual([path, 200, notified.event]);
    }
    expect(await found(draft.event.trackingId)).toBe(1);
    const late = await clinic.post(`/${draft.event.id}/notify`, aNotification());
    expect([late.status, late.message]).toEqual([
      409,
      "Action 'NOTIFY' cannot be performed on an event in 'NOTIFIED' state with [incomplete] flags. " +
        'Available actions: READ, EDIT, ARCHIVE, REJECT, CUSTOM.',
    ]);
    const assigned = await clinic.post(`/${others.event.id}/notify`, aNotification());
    expect([assigned.status, assigned.message]).toEqual([
      ...[409, 'System user can not perform action on assigned event'],
    ]);
  });

  it('can be read and goes on with the longest transactionId, of whatever characters', async () => {
    const transactionId = '😀'.repeat(255);
    const { status, event } = await clinic.post('/notify', aNotification({ eventType: 'birth', transactionId }));
    const read = await registrar.get(event.id);
    const assigned = await registrar.post(`/${event.id}/actions/assign`, tx());
    expect([status, read.status, assigned.status]).toEqual([200, 200, 200]);
    expect(assigned.event.actions[1]).toMatchObject({ type: 'NOTIFY', transactionId });
  });

  it('is read with the parameters that upstream’s clients send, and with no other', async () => {
    const { event } = await clinic.post('/notify', aNotification({ eventType: 'birth' }));
    const read = (query: string) => service.request('GET', `/events/${event.id}?${query}`, { token: registrar.token });
    expect((await read('waitFor=true')).status).toBe(200);
    expect((await read('waitFor=false&customActionType=SEAL')).status).toBe(200);
    const { status, json } = await read('waitfor=true');
    expect([status, json]).toMatchObject([
      400,
      { issues: [{ message: expect.stringMatching(/^waitfor: /) as string }] },
    ]);
  });

  it('leaves one audit row of a client, and none where nothing was done', async () => {
    const client = await clientWith('record.create', 'record.notify', 'record.read');
    const { event } = await client.post('/notify', aNotification({ eventType: 'death' }));
    const { event: draft } = await client.post('', { ...tx(), type: 'birth', createdAtLocation: OFFICE });
    await client.get(event.id);
    await client.post(`/${event.id}/notify`, aNotification());
    const rows = await database.database.query<Record<string, unknown>>(sql`
      select operation, request_data as request, response_summary as summary from audit_log
       where client_id = ${event.actions[0]?.createdBy ?? ''} and operation like 'event.%' order by created_at`);
    const { transactionId } = event.actions[1] ?? {};
    expect(rows).toEqual([
      {
        operation: 'event.actions.notify.request',
        request: {
          ...{ eventId: event.id, actionType: 'NOTIFY', eventType: 'death', trackingId: event.trackingId },
          transactionId,
        },
        summary: null,
      },
      {
        operation: 'event.create',
        request: { transactionId: draft.actions[0]?.transactionId, type: 'birth', createdAtLocation: OFFICE },
        summary: { eventId: draft.id, trackingId: draft.trackingId },
      },
      {
        operation: 'event.get',
        request: { eventId: event.id },
        summary: { eventType: 'death', trackingId: event.trackingId },
      },
    ]);
  });

  it('shows nobody else’s declarations to a caller who may not read the record', async () => {
    const { event } = await clinic.post('', { ...tx(), type: 'birth', createdAtLocation: OFFICE });
    const other = await clientWith('record.notify');
    const answered = await other.post(`/${event.id}/notify`, aNotification());
    expect(answered.event.actions[1]?.declaration).toHaveProperty(['child.dob']);
    const rejecting = await registrar.post(`/${event.id}/actions/assign`, tx());
    expect(rejecting.event.actions[1]?.declaration).toHaveProperty(['child.dob']);
    const assigning = await (await userWith('other', 'record.declare')).post(`/${event.id}/actions/assign`, tx());
    expect([assigning.status, assigning.message]).toEqual([409, 'Event is already assigned to another user']);
    await registrar.post(`/${event.id}/actions/reject`, { ...tx(), content: { reason: 'no name' } });
    const again = await clinic.post(`/${event.id}/notify`, aNotification());
    expect(again.event.actions.map(({ declaration }) => Object.keys(declaration).length)).toEqual([
      ...[0, 0, 0, 0, 0, 0, 0, 2, 0],
    ]);
  });
});

describe('a draft', () => {
  it('is read by whoever may read it, each time with one READ more, and deleted by its user', async () => {
    const { event } = await registrar.post('', { ...tx(), type: 'birth' });
    await registrar.get(event.id);
    const read = await registrar.get(event.id);
    expect(course(read.event)).toEqual(['CREATE Accepted', 'ASSIGN Accepted', 'READ Accepted', 'READ Accepted']);
    expect(read.event.updatedAt).toBe(event.updatedAt);
    expect((await clinic.delete(event.id)).status).toBe(403);
    const gone = await registrar.delete(event.id);
    expect([gone.status, gone.event]).toEqual([200, { id: event.id }]);
    for (const missing of [await registrar.delete(event.id), await registrar.get(event.id)])
      expect([missing.status, missing.message]).toEqual([404, `Event not found with ID: ${event.id}`]);
  });

  it('that was deleted is forgotten: its creation makes another one, of its id', async () => {
    const create = { ...tx(), type: 'birth' };
    const { event: former } = await registrar.post('', create);
    // With an action more than its creation.
    await registrar.get(former.id);
    await registrar.delete(former.id);
    const { event, status } = await registrar.post('', create);
    expect([status, event.id, course(event)]).toEqual([200, former.id, ['CREATE Accepted', 'ASSIGN Accepted']]);
    expect(event.trackingId).not.toBe(former.trackingId);
    expect((await registrar.post('', create)).event).toEqual(event);
    expect((await registrar.delete(event.id)).status).toBe(200);
  });
});

describe('a registration', () => {
  it('goes from a notification through a declaration to a certificate and a correction', async () => {
    const { event } = await clinic.post('/notify', aNotification({ eventType: 'birth' }));
    const act = async (action: string, more: object = {}) => {
      const body = { eventId: event.id, ...tx(), keepAssignment: true, ...more };
      const answered = await registrar.post(`/${event.id}/${action}`, body);
      expect([action, answered.status, answered.message]).toEqual([action, 200, undefined]);
      return answered.event;
    };
    const early = await registrar.post(`/${event.id}/actions/edit`, tx());
    expect([early.status, early.message]).toEqual([409, 'You are not assigned to this event']);
    await act('actions/assign');
    await act('actions/edit', { content: { comment: 'complete' } });
    await act('actions/declare', { declaration: { 'child.name': { firstname: 'Anna' } } });
    const registered = await act('actions/register');
    const number = registered.actions.at(-1)?.registrationNumber ?? '';
    expect(number).not.toBe('');
    await act('actions/print-certificate', { content: { templateId: 'short' } });
    const requested = await act('correction/request', { declaration: { 'child.dob': '2026-02-21' } });
    const request = requested.actions.find(({ type }) => type === 'REQUEST_CORRECTION')?.id ?? '';
    const unknown = await registrar.post(`/${event.id}/correction/approve`, { ...tx(), requestId: aUuid(9) });
    expect([unknown.status, unknown.message]).toEqual([404, `Correction request not found with ID: ${aUuid(9)}`]);
    await act('correction/approve', { requestId: request });
    await act('actions/custom/SEAL');
    const last = await act('actions/unassign');
    expect(last.actions.at(-1)).toMatchObject({ type: 'UNASSIGN', createdBy: 'registrar' });
    const query = { clauses: [{ id: event.id }] };
    const { json } = await service.request('POST', '/events/search', { token: clinic.token, body: { query } });
    expect(json).toMatchObject({
      results: [
        {
          status: 'REGISTERED',
          flags: ['sealed'],
          assignedTo: null,
          legalStatuses: { REGISTERED: { registrationNumber: number, createdBy: 'registrar' } },
          declaration: { 'child.name': { firstname: 'Anna', surname: 'Musonda' }, 'child.dob': '2026-02-21' },
        },
      ],
    });
  });
});

describe('a refused operation', () => {
  const notification = (changes: object = {}) => aNotification({ eventType: 'birth', ...changes });
  it.each<[string, object, number, string]>([
    [
      'an unknown type',
      notification({ eventType: 'adoption' }),
      400,
      'No configuration found for event type: adoption',
    ],
    [
      'no place',
      notification({ createdAtLocation: undefined }),
      ...([400, 'createdAtLocation is required and must be a valid location id'] as const),
    ],
    [
      'an area for a place',
      notification({ createdAtLocation: WARD }),
      ...([400, 'createdAtLocation must be a valid location id'] as const),
    ],
    ['an unknown key', notification({ informant: 1 }), 400, 'informant: is not a known key'],
    ['no transactionId', notification({ transactionId: undefined }), 400, 'transactionId: '],
    ['no declaration', notification({ declaration: [1] }), 400, 'declaration: must be an object'],
    ['another type of action', notification({ type: 'DECLARE' }), 400, 'type: must be "NOTIFY"'],
  ])('has %s', async (_, body, status, message) => {
    const answered = await clinic.post('/notify', body);
    expect([answered.status, answered.issues?.[0]?.message ?? answered.message]).toEqual([
      status,
      expect.stringContaining(message) as string,
    ]);
  });

  it('says who may not do it before it looks at the rest', async () => {
    const births = await clientWith('type=record.create&event=birth', 'type=record.notify&event=birth');
    const statuses = async (...answers: readonly Promise<{ status: number }>[]) =>
      (await Promise.all(answers)).map(({ status }) => status);
    expect(
      await statuses(
        registrar.post('/notify', {}),
        births.post('/notify', notification({ eventType: 'death', createdAtLocation: aUuid(77) })),
        births.post('', { ...tx(), type: 'death', createdAtLocation: aUuid(77) }),
        births.post(`/${aUuid(78)}/actions/declare`, {}),
        births.get(aUuid(78)),
        births.post('/not-an-id/notify', aNotification()),
        births.post(`/${aUuid(78)}/notify`, aNotification({ createdAtLocation: aUuid(77) })),
        births.post(`/${aUuid(78)}/notify`, aNotification()),
      ),
    ).toEqual([403, 403, 403, 403, 403, 400, 400, 404]);
    const { event } = await clinic.post('', { ...tx(), type: 'death', createdAtLocation: OFFICE });
    const hidden = await births.post(`/${event.id}/notify`, aNotification());
    expect([hidden.status, hidden.message]).toEqual([404, `Event not found with ID: ${event.id}`]);
  });
});
