import { randomUUID } from 'node:crypto';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { OFFICE, SOUTH } from '../support/areas.js';
import {
  type AnsweredEvent,
  course,
  type EventCaller,
  eventCaller,
  startEventService,
} from '../support/event-service.js';

const ALL = ['create', 'read', 'search', 'declare', 'register', 'custom-action'].map((one) => `record.${one}`);
const notSealed = (operation: string): string => `type=record.${operation}&flags.noneOf=sealed`;
const inOffice = (operation: string): string => `type=record.${operation}&placeOfEvent=location`;

const CHILD = {
  'child.name': { firstname: 'Asha', surname: 'Banda' },
  'child.dob': '2026-02-20',
  'mother.nid': 'M1',
};

let running: Awaited<ReturnType<typeof startEventService>>;
beforeAll(async () => {
  running = await startEventService();
});
afterAll(() => running.stop());

async function userIn(office: Uuid, ...scope: readonly string[]): Promise<EventCaller> {
  const token = await running.service.issuer.token({ sub: `user of ${scope.join()}`, userType: 'user', scope, office });
  return eventCaller(running.service, token);
}

const tx = () => ({ transactionId: randomUUID(), keepAssignment: true });

/** A birth that this user has declared. */
async function declaredBy(user: EventCaller): Promise<AnsweredEvent> {
  const { event } = await user.post('', { transactionId: randomUUID(), type: 'birth' });
  const declared = await user.post(`/${event.id}/actions/declare`, { ...tx(), declaration: CHILD });
  expect(declared.status).toBe(200);
  return declared.event;
}

it('a duplicate of another office, or a sealed one, is named to nobody whose scopes all exclude it (E-9, E-10)', async () => {
  const elsewhere = await userIn(SOUTH, ...ALL);
  const far = await declaredBy(elsewhere);
  const registered = await elsewhere.post(`/${far.id}/actions/register`, tx());
  expect(course(registered.event)).toContain('REGISTER Accepted');
  const near = await declaredBy(await userIn(OFFICE, ...ALL));

  const callers = [
    await userIn(OFFICE, inOffice('read'), notSealed('search')),
    await userIn(OFFICE, inOffice('search'), notSealed('read')),
    await userIn(OFFICE, ...['search', 'read'].map(inOffice), notSealed('review-duplicates')),
    await userIn(OFFICE, inOffice('search'), inOffice('read')),
    await userIn(OFFICE, inOffice('search'), 'record.read'),
  ];
  const isNamedTo = async (caller: EventCaller): Promise<readonly boolean[]> => {
    const body = { query: { clauses: [{ id: near.id }] } };
    const { service } = running;
    const found = await service.request('POST', '/events/search', { token: caller.token, body });
    const streamed = await service.request('POST', '/events/search', {
      token: caller.token,
      body,
      headers: { accept: 'application/x-ndjson' },
    });
    const read = await caller.get(near.id);
    expect([found.status, streamed.status, read.status]).toEqual([200, 200, 200]);
    return [found.body, streamed.body, JSON.stringify(read.event)].map((text) => text.includes(far.id));
  };
  const answers = async () => Promise.all(callers.map(isNamedTo));
  const [named, unnamed] = [
    [true, true, true],
    [false, false, false],
  ];
  // Neither finds nor reads any record there.
  expect(await answers()).toEqual([named, named, named, unnamed, named]);
  expect((await elsewhere.post(`/${far.id}/actions/custom/SEAL`, tx())).status).toBe(200);
  // Who reads all records may know that there is one.
  expect(await answers()).toEqual([unnamed, unnamed, unnamed, unnamed, named]);
});
