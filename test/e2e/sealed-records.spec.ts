import { randomUUID } from 'node:crypto';

import { LIFE_CYCLE } from '../../src/kernel/domain/life-cycle/life-cycle.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { OFFICE, SOUTH } from '../support/areas.js';
import { aRecord } from '../support/builders/a-record.js';
import { aUuid } from '../support/builders/a-uuid.js';
import {
  type AnsweredEvent,
  course,
  type EventCaller,
  eventCaller,
  startEventService,
} from '../support/event-service.js';
import { storeRecords } from '../support/store-records.js';

describe('records that others name', () => {
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
    const token = await running.service.issuer.token({
      sub: `user of ${scope.join()}`,
      userType: 'user',
      scope,
      office,
    });
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
});

describe('marked duplicates', () => {
  let running: Awaited<ReturnType<typeof startEventService>>;
  let registrar: EventCaller;
  beforeAll(async () => {
    running = await startEventService();
    const ofActions = Object.values(LIFE_CYCLE).flatMap(({ permissions }) => permissions);
    registrar = await registrarWith('record.create', ...ofActions);
  });
  afterAll(() => running.stop());

  const registrarWith = async (...scope: readonly string[]): Promise<EventCaller> => {
    const { service } = running;
    const token = await service.issuer.token({ sub: 'registrar', userType: 'user', scope, office: OFFICE });
    return eventCaller(service, token);
  };

  const tx = () => ({ transactionId: randomUUID() });
  const drafted = async (): Promise<string> => (await registrar.post('', { ...tx(), type: 'birth' })).event.id;

  async function acted(id: string, path: string, more: object = {}): Promise<AnsweredEvent> {
    const answered = await registrar.post(`/${id}/${path}`, { ...tx(), keepAssignment: true, ...more });
    expect([path, answered.status, answered.message]).toEqual([path, 200, undefined]);
    return answered.event;
  }

  async function declared(declaration: object): Promise<string> {
    const id = await drafted();
    await acted(id, 'actions/declare', { declaration });
    return id;
  }

  const LETTERS = 'abcdefghijklmnoprstu';
  const A_BIRTH = {
    'child.name': { firstname: 'Chanda', surname: 'Banda' },
    'child.dob': '2026-02-20',
    'mother.nid': 'M1',
  };

  it('a mark as a duplicate names another record, of which the caller may know', async () => {
    const sealed = await declared({
      ...A_BIRTH,
      'mother.nid': 'M2',
      'child.name': { firstname: 'Bwalya', surname: 'Phiri' },
    });
    for (const path of ['actions/register', 'actions/custom/SEAL']) await acted(sealed, path);
    await declared(A_BIRTH);
    const id = await declared(A_BIRTH);
    const clerk = await registrarWith('record.review-duplicates', 'type=record.read&flags.noneOf[]=sealed');
    const marked = (by: EventCaller, duplicateOf: string) =>
      by.post(`/${id}/actions/mark-as-duplicate`, { ...tx(), content: { duplicateOf } });
    const answers = [
      await marked(registrar, id),
      await marked(registrar, aUuid()),
      await marked(registrar, await drafted()),
      await marked(clerk, sealed),
    ];
    const refused = [
      400,
      'Input validation failed',
      [{ message: 'content.duplicateOf: must be the id of another record' }],
    ];
    expect(answers.map(({ status, message, issues }) => [status, message, issues])).toEqual(answers.map(() => refused));
    const once = { ...tx(), content: { duplicateOf: sealed.toUpperCase() } };
    const { status, event } = await registrar.post(`/${id}/actions/mark-as-duplicate`, once);
    const mark = event.actions.find(({ type }) => type === 'MARK_AS_DUPLICATE');
    expect([status, mark?.content]).toEqual([200, { duplicateOf: sealed }]);
    // It was done, whatever he may know of now.
    expect(await clerk.post(`/${id}/actions/mark-as-duplicate`, once)).toMatchObject({ status: 200 });
  });

  it('a duplicate with the whole name is found after a hundred earlier births that share one word of it (E-9)', async () => {
    const birth = { 'child.dob': '2025-03-01', 'mother.nid': 'M3' };
    const surnames = Array.from(
      { length: 101 },
      (_, at) => `Q${LETTERS[at % 20] ?? ''}${LETTERS[Math.floor(at / 20)] ?? ''}xxyyzz`,
    );
    const others = surnames.map((surname) =>
      aRecord({ declaration: { ...birth, 'child.name': { firstname: 'Thandiwe', surname } } }),
    );
    await storeRecords(running.database.database, others);
    const same = { ...birth, 'child.name': { firstname: 'Thandiwe', surname: 'Mwanawasa' } };
    const first = await declared(same);
    const { actions } = (await registrar.get(await declared(same))).event;
    const detected = actions.find(({ type }) => type === 'DUPLICATE_DETECTED');
    expect(detected?.content).toMatchObject({ duplicates: [{ id: first }] });
  });
});

describe('narrowed tokens', () => {
  const NOT_SEALED = ['search', 'read'].map((operation) => `type=record.${operation}&flags.noneOf=sealed`);
  const CHILD = {
    'child.name': { firstname: 'Asha', surname: 'Banda' },
    'child.dob': '2026-02-20',
    'mother.nid': 'M1',
  };
  const ALL = ['create', 'declare', 'register', 'custom-action'];

  let running: Awaited<ReturnType<typeof startEventService>>;
  beforeAll(async () => {
    running = await startEventService();
  });
  afterAll(() => running.stop());

  const tx = () => ({ transactionId: randomUUID(), keepAssignment: true });

  async function registrar(): Promise<EventCaller> {
    const { service } = running;
    const scope = ALL.map((operation) => `record.${operation}`);
    const claims = { sub: 'registrar', userType: 'user', scope, office: OFFICE };
    return eventCaller(service, await service.issuer.token(claims));
  }

  async function act(id: string, ...actions: readonly string[]): Promise<void> {
    const by = await registrar();
    for (const path of actions) {
      const more = path === 'declare' ? { declaration: CHILD } : {};
      const { status, message, issues } = await by.post(`/${id}/actions/${path}`, { ...tx(), ...more });
      expect([path, status, message, issues]).toEqual([path, 200, undefined, undefined]);
    }
  }

  /** The birth of one child, with what has been done with it. */
  async function birth(...actions: readonly string[]): Promise<string> {
    const { id } = (await (await registrar()).post('', { transactionId: randomUUID(), type: 'birth' })).event;
    await act(id, ...actions);
    return id;
  }

  /** Gets tokens of one client with these scopes, each narrowed to some of them. */
  async function tokensOf(scopes: readonly string[]): Promise<(scope?: string) => Promise<EventCaller>> {
    const { service } = running;
    const order = { token: await service.issuer.token(), body: { name: 'A hospital', scopes } };
    const { json } = await service.request('POST', '/integrations', order);
    const { clientId: client_id, clientSecret: client_secret } = json as Readonly<Record<string, string>>;
    return async (scope) => {
      const body = { grant_type: 'client_credentials', client_id, client_secret, scope };
      const { json: answer } = await service.request('POST', '/token', { body });
      return eventCaller(service, (answer as { readonly access_token: string }).access_token);
    };
  }

  describe('a narrowed token', () => {
    it('does not tell of a sealed record, though its scopes cannot exclude it: others of its client do', async () => {
      const tokenOf = await tokensOf([...NOT_SEALED, 'record.notify', 'record.action.accept']);
      const answers = async (caller: EventCaller, event: string) => {
        const all = [
          await caller.post(`/${event}/notify`, { ...tx(), declaration: {}, createdAtLocation: OFFICE }),
          await caller.post(`/${event}/actions/${randomUUID()}/accept`, {
            eventId: event,
            transactionId: randomUUID(),
          }),
        ];
        return all.map(({ status, message }) => [status, message.replace(event, '<id>')]);
      };
      const id = await birth('declare', 'register', 'custom/SEAL');
      const [whole, narrow] = [await tokenOf(), await tokenOf('record.notify record.action.accept')];
      const absent = await answers(whole, randomUUID());
      expect(absent.map(([status]) => status)).toEqual([404, 404]);
      expect([await answers(whole, id), await answers(narrow, id)]).toEqual([absent, absent]);
    });

    it('is shown no record that names a sealed one to it, where others of its client’s scopes exclude that', async () => {
      const registered = await birth('declare', 'register');
      const naming = await birth('declare');
      const reading = 'type=record.read&status=DECLARED';
      const tokenOf = await tokensOf([reading, 'type=record.search&flags.noneOf=sealed']);
      const callers = [await tokenOf(), await tokenOf(reading)];
      const isNamed = () =>
        Promise.all(callers.map(async (one) => JSON.stringify((await one.get(naming)).event).includes(registered)));
      expect(await isNamed()).toEqual([true, true]);
      await act(registered, 'custom/SEAL');
      expect(await isNamed()).toEqual([false, false]);
    });
  });
});
