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

/** What some actions need besides. */
const needed = (path: string): object => ({
  ...(/\/(?:archive|reject)$/.test(path) && { content: { reason: 'a reason' } }),
  ...(/correction\/(?:approve|reject)$/.test(path) && { requestId: aUuid() }),
  ...(path === '/events/notify' && { eventType: 'birth', createdAtLocation: OFFICE }),
  ...(path === '/events/notifications' && { eventId: aUuid(), createdAtLocation: OFFICE }),
});

it('the document says of each action which type its body may name, as the service checks it', async () => {
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
    const { status, issues } = await caller.post(at, { transactionId: 'tx', type: 'READ', ...needed(path) });
    documented.push([path, 400, types.map((type) => ({ message: `type: must be "${type}"` }))]);
    checked.push([path, status, issues]);
  }
  expect(documented.length).toBe(22);
  expect(checked).toEqual(documented);
});
