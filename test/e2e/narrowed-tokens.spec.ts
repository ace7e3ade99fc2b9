import { randomUUID } from 'node:crypto';

import { OFFICE } from '../support/areas.js';
import type { EventCaller } from '../support/event-service.js';
import { eventCaller, startEventService } from '../support/event-service.js';

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
        await caller.post(`/${event}/actions/${randomUUID()}/accept`, { eventId: event, transactionId: randomUUID() }),
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
