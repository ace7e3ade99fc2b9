import { randomUUID } from 'node:crypto';

import { LIFE_CYCLE } from '../../src/domain/life-cycle/life-cycle.js';
import { OFFICE } from '../support/areas.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { eventCaller, startEventService } from '../support/event-service.js';

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
