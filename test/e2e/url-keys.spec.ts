import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';

let service: RunningApplication;
beforeAll(async () => {
  service = await startApplication();
});
afterAll(() => service.stop());

const SOME_ID = '11111111-1111-4111-8111-111111111111';
/** Of auth, of tRPC, of the service itself, and the signed address of a file. */
const TOLERANT =
  /^\/(auth|token|authenticateSystemClient|\.well-known|\w+SystemClient|rotateShaSecret|trpc|health|ping|metrics|openapi\.json|docs|files)(\/|$)/;

interface Document {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: {
    readonly securitySchemes: { readonly clientCredentials: { readonly flows: { readonly clientCredentials: Flow } } };
  };
}
interface Flow {
  readonly scopes: Readonly<Record<string, string>>;
}

it('a parameter in its URL that a route does not take is refused', async () => {
  const { json } = await service.request('GET', '/openapi.json', { listener: 'internal' });
  const { paths, components } = json as Document;
  const operations = Object.entries(paths).flatMap(([template, item]) =>
    Object.keys(item).map((method) => ({ method: method.toUpperCase(), template })),
  );
  const { clientId } = await service.registerClient('HEALTH');
  const { scopes } = components.securitySchemes.clientCredentials.flows.clientCredentials;
  const scope = [...Object.keys(scopes), 'webhook', 'sysadmin', 'natlsysadmin'];
  const tokens = [
    await service.issuer.token({ sub: clientId, userType: 'system', scope }),
    await service.issuer.token({ sub: 'clerk', userType: 'user', scope }),
  ];
  const passedOver: string[] = [];
  for (const { method, template } of operations) {
    const path = `${template.replaceAll(/\{\w+\}/g, SOME_ID)}?nonsense=1`;
    const refusals: string[] = [];
    for (const token of TOLERANT.test(template) ? [] : tokens) {
      const answer = await service.request(method, path, { token, listener: 'internal' });
      const { issues = [] } = answer.json as { readonly issues?: readonly { readonly message: string }[] };
      refusals.push(...issues.map(({ message }) => message.slice(0, 'nonsense: is not'.length)));
    }
    if (!TOLERANT.test(template) && !refusals.includes('nonsense: is not')) passedOver.push(`${method} ${path}`);
  }
  expect(passedOver).toEqual([]);
});

it.each(['/ping', '/health/live', '/health/ready', '/openapi.json', '/docs', '/.well-known/jwks.json'])(
  '%s passes over parameters, which probes and caches add',
  async (path) => {
    expect((await service.request('GET', `${path}?at=1`)).status).toBe(200);
  },
);
