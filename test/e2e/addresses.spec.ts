import type { OpenAPIObject } from '@nestjs/swagger';
import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { sql } from '../../src/kernel/sql/sql.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { aNotification, eventCaller, startEventService } from '../support/event-service.js';
import { eventually } from '../support/eventually.js';

describe('HEAD requests', () => {
  let running: Awaited<ReturnType<typeof startEventService>>;
  let token: string;
  let eventId: string;
  beforeAll(async () => {
    running = await startEventService();
    const { service } = running;
    const clinic = eventCaller(service, (await service.registerClient('HEALTH')).token);
    eventId = (await clinic.post('/notify', aNotification({ eventType: 'birth' }))).event.id;
    const scope = ['record.read', 'record.search', 'record.review-duplicates', 'natlsysadmin', 'sysadmin'];
    // Its row is written a moment after the answer, and is the last one.
    await eventually('the notification is audited', async () =>
      (await operations()).includes('event.actions.notify.request'),
    );
    token = await service.issuer.token({ sub: 'registrar', userType: 'user', scope });
  });
  afterAll(() => running.stop());

  const operations = async (): Promise<readonly string[]> => {
    const rows = await running.database.database.query<{ operation: string }>(sql`
    select operation from audit_log order by created_at, id`);
    return rows.map(({ operation }) => operation);
  };

  const written = async (): Promise<unknown> => {
    const { database } = running.database;
    await database.query(sql`select pg_sleep(0.1)`);
    return database.query(
      sql`select (select count(*)::int from event_history) as actions, (select count(*)::int from audit_log) as audited`,
    );
  };
  const head = (path: string) => running.service.request('HEAD', path, { token, listener: 'internal' });

  describe('HEAD', () => {
    it.each([
      ['/events/{eventId}', 'DELETE, GET'],
      ['/events/events/{eventId}', 'DELETE, GET'],
      ['/events/{eventId}/duplicates', 'GET'],
      ['/events/{eventId}/files/{fileId}/url', 'GET'],
      ['/event.get?input={"json":"{eventId}"}', 'GET, POST'],
    ])('of %s, whose GET leaves something behind, is none of its methods', async (path, allow) => {
      const before = await written();
      const { status, headers } = await head(
        encodeURI(path.replace('{eventId}', eventId).replace('{fileId}', 'a.pdf')),
      );
      expect([status, headers.allow]).toEqual([405, allow]);
      expect(await written()).toEqual(before);
    });

    it('of whatever else has a GET writes nothing', async () => {
      const document = (await running.service.request('GET', '/openapi.json', { listener: 'internal' }))
        .json as OpenAPIObject;
      const paths = Object.entries(document.paths).filter(([, item]) => item.get !== undefined);
      expect(paths.length).toBeGreaterThan(15);
      const before = await written();
      const statuses = await Promise.all(
        paths.map(([path]) =>
          head(path.replace('{eventId}', eventId).replace(/\{\w+\}/g, aUuid(1))).then(({ status }) => status),
        ),
      );
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(10);
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      expect(await written()).toEqual(before);
    });
  });
});

let service: RunningApplication;
beforeAll(async () => {
  service = await startApplication();
});
afterAll(() => service.stop());

describe('ids in paths', () => {
  interface Operation {
    readonly requestBody?: object;
    readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: object }[];
  }

  const SOME_ID = '11111111-1111-4111-8111-111111111111';
  const NO_ID = 'no-uuid';
  const SCOPES = ['read', 'review-duplicates', 'declare', 'notify'].map((operation) => `record.${operation}`);
  const OTHERS = ['location.edit', 'webhook', 'natlsysadmin', 'sysadmin', 'integration.create', 'user.read'];

  /** For each parameter that the document calls a UUID: the address with another text there, and UUIDs in the others. */
  async function addresses(): Promise<readonly (readonly [method: string, path: string])[]> {
    const { json } = await service.request('GET', '/openapi.json', { listener: 'internal' });
    const { paths } = json as { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
    return Object.entries(paths).flatMap(([template, operations]) =>
      Object.entries(operations).flatMap(([method, { parameters = [], requestBody }]) => {
        const ids = parameters.filter((one) => one.in === 'path' && 'format' in (one.schema ?? {}));
        // What is wrong with a body would hide whether the id is refused.
        if (requestBody !== undefined) return [];
        return ids.map(({ name }) => {
          const path = template.replace(`{${name}}`, NO_ID).replaceAll(/\{\w+\}/g, SOME_ID);
          return [method.toUpperCase(), path] as const;
        });
      }),
    );
  }

  describe('a parameter of a path that the description calls a UUID', () => {
    it('is refused with 400 or 404 where it is other text', async () => {
      const { clientId } = await service.registerClient('HEALTH');
      const scope = [...SCOPES, ...OTHERS];
      const tokens = [
        await service.issuer.token({ sub: clientId, userType: 'system', scope }),
        await service.issuer.token({ sub: 'clerk', userType: 'user', scope }),
      ];
      const asked = await addresses();
      expect(asked.length).toBeGreaterThan(15);
      const taken: string[] = [];
      for (const [method, path] of asked) {
        const statuses = new Set<number>();
        for (const token of tokens) {
          statuses.add((await service.request(method, path, { token, listener: 'internal' })).status);
        }
        if (!statuses.has(400) && !statuses.has(404)) taken.push(`${method} ${path} ${[...statuses].join()}`);
      }
      // Its address has no signature either, which is all that is told (F-3).
      expect(taken).toEqual([`GET /files/${NO_ID} 403`]);
    });
  });
});

describe('keys in URLs', () => {
  let operations: readonly Operation[];
  let document: Document;
  /** Which may call everything, of a client and of a user. */
  let tokens: readonly string[];
  beforeAll(async () => {
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
    const bodiless = operations.filter(
      ({ method, takesBody }) => method !== 'GET' && method !== 'DELETE' && !takesBody,
    );
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
});
