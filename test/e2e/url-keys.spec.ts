import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';

let service: RunningApplication;
let operations: readonly Operation[];
let document: Document;
/** Which may call everything, of a client and of a user. */
let tokens: readonly string[];
beforeAll(async () => {
  service = await startApplication();
  const { json } = await service.request('GET', '/openapi.json', { listener: 'internal' });
  document = json as Document;
  const { paths } = document;
  operations = Object.entries(paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, { requestBody, parameters = [] }]) => ({
      ...{ method: method.toUpperCase(), template, path: template.replaceAll(/\{\w+\}/g, SOME_ID) },
      takesBody: requestBody !== undefined,
      body: resolved(requestBody?.content?.['application/json']?.schema).properties ?? {},
      parameters: parameters.filter((parameter) => parameter.in === 'query'),
    })),
  );
  const { clientId } = await service.registerClient('HEALTH');
  const permissions = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ security }) => security.flatMap(({ bearer = [] }) => bearer));
  const scope = [...new Set([...permissions, 'webhook'])];
  tokens = [
    await service.issuer.token({ sub: clientId, userType: 'system', scope }),
    await service.issuer.token({ sub: 'clerk', userType: 'user', scope }),
  ];
});
afterAll(() => service.stop());

interface Operation {
  readonly method: string;
  readonly template: string;
  readonly path: string;
  readonly takesBody: boolean;
  /** The members of a body in JSON. */
  readonly body: Readonly<Record<string, Schema>>;
  /** Of its query. */
  readonly parameters: readonly Parameter[];
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}
interface Described {
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly parameters?: readonly Parameter[];
  readonly security: readonly { readonly bearer?: readonly string[] }[];
}
interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema: Schema;
}
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
}

const resolved = ({ $ref, allOf, ...schema }: Schema = {}): Schema => {
  if ($ref !== undefined) return document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {};
  if (allOf === undefined) return schema;
  return { properties: Object.fromEntries(allOf.flatMap((part) => Object.entries(resolved(part).properties ?? {}))) };
};

const SOME_ID = '11111111-1111-4111-8111-111111111111';
/** Of auth, of tRPC, of the service itself, and the signed address of a file. */
const TOLERANT =
  /^\/(auth|token|authenticateSystemClient|\.well-known|\w+SystemClient|rotateShaSecret|verifyToken|trpc|health|ping|metrics|openapi\.json|docs|files)(\/|$)/;

/** What is wrong with a request, whoever of both makes it. */
async function faultsOf(method: string, path: string, body?: object): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const token of tokens) {
    const answer = await service.request(method, path, { token, listener: 'internal', body });
    // An answer without a body has no faults.
    const { issues = [] } = (answer.json ?? {}) as { readonly issues?: readonly { readonly message: string }[] };
    faults.push(...issues.map(({ message }) => message));
  }
  return faults;
}

const ofNonsense = (fault: string): boolean => fault.startsWith('nonsense: is not');

it('a parameter in its URL that a route does not take is refused', async () => {
  const passedOver: string[] = [];
  for (const { method, template, path } of operations) {
    if (TOLERANT.test(template)) continue;
    const faults = await faultsOf(method, `${path}?nonsense=1`);
    if (!faults.some(ofNonsense)) passedOver.push(`${method} ${template}`);
  }
  // Releases 1.x ignored them there (L-4).
  expect(passedOver).toEqual(['GET /location', 'GET /location/{id}']);
});

it('a body of a route that takes none is refused, unless it says nothing, but that of a DELETE', async () => {
  const bodiless = operations.filter(({ method, takesBody }) => method !== 'GET' && method !== 'DELETE' && !takesBody);
  expect(bodiless.length).toBeGreaterThan(7);
  const passedOver: string[] = [];
  for (const { method, path } of bodiless) {
    const faults = [...(await faultsOf(method, path, { nonsense: 1 })), ...(await faultsOf(method, path, [1]))];
    const isRefused = faults.some(ofNonsense) && faults.some((fault) => fault.includes('must be absent'));
    if (!isRefused || (await faultsOf(method, path, {})).length > 0) passedOver.push(`${method} ${path}`);
  }
  expect(passedOver).toEqual([]);
});

it('an empty text is refused only where the document says so', async () => {
  const ajv = formats.default(new Ajv2020({ strict: false }));
  const permits = (schema: Schema): boolean => [schema.type].flat().includes('string') && ajv.validate(schema, '');
  const refused: string[] = [];
  for (const { method, template, path, body, parameters } of operations) {
    if (TOLERANT.test(template)) continue;
    for (const { name, schema } of parameters) {
      if (!permits(schema)) continue;
      const faults = await faultsOf(method, `${path}?${name}=`);
      if (faults.some((fault) => fault.startsWith(`${name}:`))) refused.push(`${method} ${template}?${name}=`);
    }
    for (const [name, schema] of Object.entries(body)) {
      if (!permits(schema)) continue;
      const faults = await faultsOf(method, path, { [name]: '' });
      if (faults.some((fault) => fault.startsWith(`${name}:`))) refused.push(`${method} ${template} ${name}`);
    }
  }
  expect(refused).toEqual([]);
});

it.each(['/ping', '/health/live', '/health/ready', '/openapi.json', '/docs', '/.well-known/jwks.json'])(
  '%s passes over parameters, which probes and caches add',
  async (path) => {
    expect((await service.request('GET', `${path}?at=1`)).status).toBe(200);
  },
);

it.each([
  ['%7B', 'is not valid JSON'],
  ['['.repeat(129) + ']'.repeat(129), 'must be nested at most 128 levels deep'],
])('a fault of the whole `input` of a tRPC call has its name: %s', async (input, fault) => {
  const { json } = await service.request('GET', `/events/event.search?input=${input}`, { token: tokens[0] ?? '' });
  expect(json).toMatchObject({ error: { json: { data: { issues: [{ message: `input: ${fault}` }] } } } });
});
