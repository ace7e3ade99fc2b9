import { randomUUID } from 'node:crypto';

import { OFFICE } from '../support/areas.js';
import type { EventCaller } from '../support/event-service.js';
import { eventCaller, startEventService } from '../support/event-service.js';

const NOT_SEALED = ['search', 'read'].map((operation) => `type=record.${operation}&flags.noneOf=sealed`);
const ALL = ['create', 'declare', 'register', 'custom-action'];

let running: Awaited<ReturnType<typeof startEventService>>;
beforeAll(async () => {
  running = await startEventService();
});
afterAll(() => running.stop());

const tx = () => ({ transactionId: randomUUID(), keepAssignment: true });

/** A record that is registered and sealed. */
async function sealed(): Promise<string> {
  const { service } = running;
  const scope = ALL.map((operation) => `record.${operation}`);
  const claims = { sub: 'registrar', userType: 'user', scope, office: OFFICE };
  const registrar = eventCaller(service, await service.issuer.token(claims));
  const { id } = (await registrar.post('', { transactionId: randomUUID(), type: 'birth' })).event;
  const declaration = { 'child.name': { firstname: 'Asha', surname: 'Banda' }, 'child.dob': '2026-02-20' };
  for (const [path, more] of [
    ['declare', { declaration }],
    ['register', {}],
    ['custom/SEAL', {}],
  ] as const) {
    const { status, message, issues } = await registrar.post(`/${id}/actions/${path}`, { ...tx(), ...more });
    expect([path, status, message, issues]).toEqual([path, 200, undefined, undefined]);
  }
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
    const [id, whole, narrow] = [await sealed(), await tokenOf(), await tokenOf('record.notify record.action.accept')];
    const absent = await answers(whole, randomUUID());
    expect(absent.map(([status]) => status)).toEqual([404, 404]);
    expect([await answers(whole, id), await answers(narrow, id)]).toEqual([absent, absent]);
  });
});
