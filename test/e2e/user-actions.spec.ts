import { randomUUID } from 'node:crypto';
import { DEFAULT_ROLES } from '../../src/auth/users/roles.js';
import { LIFE_CYCLE } from '../../src/kernel/domain/life-cycle/life-cycle.js';
import type { ActionType } from '../../src/kernel/domain/event-action.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { importLocations } from '../../src/auth/locations/import-locations.js';
import type { RunningApplication } from '../support/application.js';
import { OFFICE, SOUTH } from '../support/areas.js';
import { aUuid } from '../support/builders/a-uuid.js';
import {
  type AnsweredEvent,
  course,
  type EventCaller,
  eventCaller,
  startEventService,
} from '../support/event-service.js';

/** In the other half of the country, and directly under it. */
const [SOUTH_OFFICE, CENTRAL_OFFICE] = [aUuid(0x51), aUuid(0x52)];

let running: Awaited<ReturnType<typeof startEventService>>;
let service: RunningApplication;
let registrar: EventCaller;
beforeAll(async () => {
  running = await startEventService({}, async ({ database }) => {
    const locations = [
      { id: SOUTH_OFFICE, name: 'South office', partOf: SOUTH },
      { id: CENTRAL_OFFICE, name: 'Central office', partOf: null },
    ];
    await importLocations(database, { locations });
  });
  ({ service } = running);
  registrar = await userAt(OFFICE, 'registrar', ...ALL);
});
afterAll(() => running.stop());

const ALL = ['record.create', 'record.search', ...Object.values(LIFE_CYCLE).flatMap(({ permissions }) => permissions)];

const userAt = async (office: Uuid, sub: string, ...scope: readonly string[]): Promise<EventCaller> =>
  eventCaller(service, await service.issuer.token({ sub, userType: 'user', scope, office }));

const tx = () => ({ transactionId: randomUUID() });

let births = 0;
const aBirth = () => ({
  'child.name': { firstname: `Child${String.fromCharCode(97 + (births += 1))}xyz`, surname: 'Banda' },
  'child.dob': '2026-02-20',
  'mother.nid': `M${births}`,
});

async function act(id: string, path: string, more: object = {}): Promise<AnsweredEvent> {
  const answered = await registrar.post(`/${id}/${path}`, { ...tx(), keepAssignment: true, ...more });
  expect([path, answered.status, answered.message]).toEqual([path, 200, undefined]);
  return answered.event;
}

async function drafted(): Promise<string> {
  return (await registrar.post('', { ...tx(), type: 'birth' })).event.id;
}

async function declared(declaration: object = aBirth()): Promise<string> {
  const id = await drafted();
  await act(id, 'actions/declare', { declaration });
  return id;
}

async function registered(...then: readonly string[]): Promise<string> {
  const id = await declared();
  for (const path of ['actions/register', ...then]) await act(id, path);
  return id;
}

async function withDuplicate(): Promise<string> {
  const declaration = aBirth();
  await declared(declaration);
  return declared(declaration);
}

async function archived(): Promise<string> {
  const id = await declared();
  await act(id, 'actions/archive', { content: { reason: 'by mistake' } });
  return id;
}

/** What a user may do to a record, by the type of the action: where, with what, and the record that allows it. */
interface Walked {
  readonly type: ActionType;
  readonly path: string;
  readonly ready: () => Promise<string>;
  readonly more?: object;
  readonly by?: 'anyone';
}

const reason = { content: { reason: 'a reason' } };
const WALKED: readonly Walked[] = [
  { type: 'NOTIFY', path: 'notify', ready: drafted, by: 'anyone' },
  { type: 'DECLARE', path: 'actions/declare', ready: drafted },
  { type: 'EDIT', path: 'actions/edit', ready: declared },
  { type: 'REGISTER', path: 'actions/register', ready: declared },
  { type: 'REJECT', path: 'actions/reject', ready: declared, more: reason },
  { type: 'ARCHIVE', path: 'actions/archive', ready: declared, more: reason },
  { type: 'UNARCHIVE', path: 'actions/unarchive', ready: archived },
  { type: 'MARK_AS_DUPLICATE', path: 'actions/mark-as-duplicate', ready: withDuplicate },
  { type: 'MARK_AS_NOT_DUPLICATE', path: 'actions/mark-as-not-duplicate', ready: withDuplicate },
  { type: 'PRINT_CERTIFICATE', path: 'actions/print-certificate', ready: registered },
  { type: 'REQUEST_CORRECTION', path: 'correction/request', ready: registered, by: 'anyone' },
  { type: 'REVOKE_REGISTRATION', path: 'actions/revoke-registration', ready: registered },
  {
    ...{ type: 'REINSTATE_REGISTRATION', path: 'actions/reinstate-registration' },
    ready: () => registered('actions/revoke-registration'),
  },
  { type: 'DEACTIVATE_REGISTRATION', path: 'actions/deactivate-registration', ready: registered },
  {
    ...{ type: 'REACTIVATE_REGISTRATION', path: 'actions/reactivate-registration' },
    ready: () => registered('actions/deactivate-registration'),
  },
  { type: 'CUSTOM', path: 'actions/custom/SEAL', ready: registered },
];

describe('an action of a user', () => {
  it.each(WALKED)(
    '$type needs its scope (403), a record that it covers (404) and the assignment (409)',
    async ({ type, path, ready, more = {}, by }) => {
      const id = await ready();
      const body = () => ({ ...tx(), ...more });
      const [permission = ''] = LIFE_CYCLE[type].permissions;
      const near = `type=${permission}&placeOfEvent=administrativeArea`;
      const stranger = await userAt(OFFICE, 'clerk', 'record.search', 'record.read');
      const elsewhere = await userAt(SOUTH_OFFICE, 'clerk', near);
      const clerk = await userAt(OFFICE, 'clerk', near);
      const answers = [
        await stranger.post(`/${id}/${path}`, body()),
        await elsewhere.post(`/${id}/${path}`, body()),
        await clerk.post(`/${id}/${path}`, body()),
      ];
      expect(answers.map(({ status, message }) => [status, message])).toEqual([
        [403, 'Insufficient access'],
        [404, `Event not found with ID: ${id}`],
        [409, 'You are not assigned to this event'],
      ]);
      if (by === undefined) {
        const { clientId } = await service.registerClient('HEALTH');
        const token = await service.issuer.token({ sub: clientId, userType: 'system', scope: [permission] });
        const answered = await eventCaller(service, token).post(`/${id}/${path}`, body());
        expect([answered.status, answered.message]).toEqual([403, 'Only users may do this']);
      }
      await act(id, 'actions/unassign');
      const taken = await clerk.post(`/${id}/actions/assign`, { ...tx(), assignedTo: 'clerk' });
      expect([taken.status, taken.event.actions.at(-1)?.assignedTo]).toEqual([200, 'clerk']);
      const done = await clerk.post(`/${id}/${path}`, body());
      expect([done.status, done.message]).toEqual([200, undefined]);
      const [did, gaveBack] = [done.event.actions.findLast((one) => one.type === type), done.event.actions.at(-1)];
      expect(did).toMatchObject({ status: 'Accepted', createdBy: 'clerk', createdAtLocation: OFFICE });
      expect(gaveBack).toMatchObject({ type: 'UNASSIGN', createdBy: 'clerk' });
    },
  );

  it('is told what its content lacks', async () => {
    const id = await registered();
    const issues = async (path: string, more: object = {}) =>
      (await registrar.post(`/${id}/${path}`, { ...tx(), ...more })).issues?.map(({ message }) => message);
    expect([
      await issues('actions/reject'),
      await issues('actions/archive', { content: { reason: '' } }),
      await issues('actions/print-certificate', { content: { template: 'short' } }),
      await issues('actions/declare', { content: { comment: 'none' } }),
      await issues('actions/assign', { assignedTo: 'somebody else' }),
      await issues('actions/unassign', { assignedTo: 'registrar' }),
    ]).toEqual([
      ['content.reason: is required and must be text of 1 to 10000 characters'],
      ['content.reason: must be text of 1 to 10000 characters'],
      ['content.template: is not a known key; allowed: templateId'],
      [expect.stringContaining('content: is not a known key') as string],
      ['assignedTo: must be the caller himself'],
      ['assignedTo: must be null'],
    ]);
    expect((await registrar.post('', { ...tx(), type: 'birth', createdAtLocation: OFFICE })).message).toBe(
      'createdAtLocation is not allowed for non-system users',
    );
  });

  it('EDIT must be followed by a declaration, a notification or a registration', async () => {
    const id = await declared();
    await act(id, 'actions/edit');
    const rejected = await registrar.post(`/${id}/actions/reject`, { ...tx(), ...reason });
    expect([rejected.status, rejected.message]).toEqual([
      409,
      "Action 'REJECT' cannot be performed on an event in 'DECLARED' state with [edit-in-progress] flags. " +
        'Available actions: NOTIFY, DECLARE, REGISTER.',
    ]);
    expect(course(await act(id, 'actions/declare')).at(-1)).toBe('DECLARE Accepted');
  });
});

describe('an assignment', () => {
  it('is taken away by record.unassign-others alone, where it covers the record', async () => {
    const id = await declared();
    const others = (where: string) => `type=record.unassign-others&placeOfEvent=${where}`;
    const unassign = async (user: EventCaller) => {
      const { status, message, event } = await user.post(`/${id}/actions/unassign`, { ...tx(), assignedTo: null });
      return status === 200 ? course(event).at(-1) : [status, message];
    };
    expect(await unassign(await userAt(OFFICE, 'clerk', 'record.read'))).toEqual([
      ...[403, 'The event is assigned to another user'],
    ]);
    const south = await userAt(SOUTH_OFFICE, 'clerk', others('administrativeArea'));
    expect(await unassign(south)).toEqual([404, `Event not found with ID: ${id}`]);
    expect(await unassign(await userAt(SOUTH_OFFICE, 'clerk', others('location'), 'record.read'))).toEqual([
      ...[403, 'The event is assigned to another user'],
    ]);
    const chief = await userAt(OFFICE, 'chief', others('location'));
    expect(await unassign(chief)).toBe('UNASSIGN Accepted');
    // What nobody has stays as it is; who has it keeps it when he takes it again.
    expect((await chief.post(`/${id}/actions/unassign`, tx())).event.actions).toHaveLength(5);
    const [taken, again] = [await act(id, 'actions/assign'), await act(id, 'actions/assign')];
    expect(again).toEqual(taken);
    const late = await chief.post(`/${id}/actions/assign`, tx());
    expect([late.status, late.message]).toEqual([409, 'Event is already assigned to another user']);
  });
});

describe('a scope that lists what it permits', () => {
  it.each([
    ['custom-action&customActionTypes=SEAL', 'custom/SEAL', {}],
    ['print-certified-copies&templates=short', 'print-certificate', { content: { templateId: 'short' } }],
  ])('lets its user take the record: %s', async (scope, path, more) => {
    const user = await userAt(OFFICE, 'u', `type=record.${scope}`);
    const actions = `/${await registered('actions/unassign')}/actions`;
    expect((await user.post(`${actions}/assign`, tx())).status).toBe(200);
    expect((await user.post(`${actions}/${path}`, { ...tx(), ...more })).status).toBe(200);
  });
});

describe('the registrar of the roles that ship', () => {
  it('goes on with what he has declared, although it took place elsewhere, and others there do too', async () => {
    const scopes = DEFAULT_ROLES.find((role) => role.id === 'LOCAL_REGISTRAR')?.scopes ?? [];
    const [own, there, central] = [
      await userAt(OFFICE, 'own', ...scopes),
      await userAt(SOUTH_OFFICE, 'there', ...scopes),
      await userAt(OFFICE, 'central', 'type=record.read&declaredIn=location&placeOfEvent=location'),
    ];
    const { id } = (await own.post('', { ...tx(), type: 'birth' })).event;
    const declaration = { ...aBirth(), 'child.birthLocation': SOUTH_OFFICE };
    const answered = await own.post(`/${id}/actions/declare`, { ...tx(), declaration, keepAssignment: true });
    expect(answered.event.actions.at(-2)?.declaration).toEqual(declaration);
    expect([(await there.get(id)).status, (await central.get(id)).status]).toEqual([200, 404]);
    for (const path of ['edit', 'declare', 'register'])
      expect((await own.post(`/${id}/actions/${path}`, { ...tx(), keepAssignment: true })).status).toBe(200);
    expect((await own.post(`/${id}/actions/print-certificate`, tx())).status).toBe(200);
  });
});

describe('a user whose office has no area', () => {
  it('has the whole country for administrativeArea, and his office for location', async () => {
    const [id, own] = [
      await declared(),
      (await (await userAt(CENTRAL_OFFICE, 'central', 'record.create')).post('', { ...tx(), type: 'birth' })).event.id,
    ];
    const statuses = async (office: Uuid, where: string) => {
      const scopes = ['read', 'review-duplicates'].map((name) => `type=record.${name}&placeOfEvent=${where}`);
      const user = await userAt(office, 'central', ...scopes);
      const duplicates = await service.request('GET', `/events/${id}/duplicates`, { token: user.token });
      return [(await user.get(id)).status, duplicates.status, (await user.get(own)).status];
    };
    expect([
      await statuses(CENTRAL_OFFICE, 'administrativeArea'),
      await statuses(CENTRAL_OFFICE, 'location'),
      await statuses(SOUTH_OFFICE, 'administrativeArea'),
      await statuses(OFFICE, 'location'),
    ]).toEqual([
      [200, 200, 200],
      [404, 404, 200],
      [404, 404, 404],
      [200, 200, 404],
    ]);
  });

  it('creates only what his scope covers', async () => {
    const statuses = async (office: Uuid, where: string) =>
      (
        await (
          await userAt(office, 'u', `type=record.create&placeOfEvent=${where}`)
        ).post('', { ...tx(), type: 'birth' })
      ).status;
    expect([
      await statuses(CENTRAL_OFFICE, 'administrativeArea'),
      await statuses(CENTRAL_OFFICE, 'location'),
      await statuses(aUuid(0x99), 'location'),
    ]).toEqual([200, 200, 403]);
  });
});
