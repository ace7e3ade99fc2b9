import { randomBytes } from 'node:crypto';
import type { OpenAPIObject, SchemaObject } from '@nestjs/swagger';
import { type Application, createApplication } from '../../src/cli/application.js';
import { readConfig } from '../../src/platform/config/read-config.js';
import { RouteList } from '../../src/gateway/http/route-list.js';
import { OpenApiController } from '../../src/gateway/openapi/docs.controller.js';
import { type CataloguedRoute, RouteCatalogue } from '../../src/gateway/openapi/route-catalogue.js';
import { bareAddress, resolveAddress } from '../../src/gateway/http/routes.js';
import { eventActionView } from '../../src/events/records/history-bounds.js';
import { searchSchemas } from '../../src/events/search/search.openapi.js';
import { anAction } from '../support/builders/an-action.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { schemaValidator } from '../support/schema-validator.js';

let database: TestDatabase;
let application: Application;
let routes: readonly CataloguedRoute[];
let document: OpenAPIObject;
let publicDocument: OpenAPIObject;
beforeAll(async () => {
  database = await createTestDatabase();
  const secretsKey = randomBytes(32).toString('base64');
  const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'fatal', SECRETS_KEY: secretsKey });
  application = await createApplication(config, database.url);
  routes = application.app.get(RouteCatalogue).routes();
  const documents = application.app.get(OpenApiController);
  document = known(documents.documentOf('internal'));
  publicDocument = known(documents.documentOf('public'));
});
afterAll(async () => {
  await application.close();
  await database.drop();
});

const validate = schemaValidator(searchSchemas(10_000));

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('it is not there');
  return value;
}

const template = (path: string): string => bareAddress(path).replace(/:(\w+)/g, '{$1}');
interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly responses?: object;
  readonly tags?: readonly string[];
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: { readonly format?: string };
}
/** Parameters of paths that may be other text than a UUID. */
const OTHER_PARAMETERS = ['action', 'asset', 'customActionType', 'eventType', 'fileId', 'procedures'];
const operationsOf = (path: string) =>
  document.paths[template(path)] as Readonly<Record<string, Operation>> | undefined;
const named = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

function securityOf({ access, only }: CataloguedRoute): object[] | undefined {
  if (access === 'public') return [];
  const ofClients = (permissions: readonly string[]): object[] =>
    only === 'user' ? [] : [{ clientCredentials: permissions }];
  if (access === 'authenticated') return [{ bearer: [] }, ...ofClients([])];
  return access?.flatMap((permission) => [
    { bearer: [permission] },
    ...(permission.endsWith('sysadmin') ? [] : ofClients([permission])),
  ]);
}

describe('every route', () => {
  it('is one that a controller declares', () => {
    const registered = application.app.get(RouteList).routes.filter(({ method }) => method !== 'HEAD');
    expect(registered.map(named).sort()).toEqual(routes.map(named).sort());
  });

  it('says who may call it', () => {
    expect(routes.length).toBeGreaterThan(10);
    expect(routes.filter(({ access }) => access === undefined)).toEqual([]);
  });

  it('of administrators takes turns, but for what waits without a connection', () => {
    const tags = new Set(['Users', 'Integrations', 'System clients', 'Reindex']);
    const ofAdministrators = routes.filter(({ method, path }) =>
      operationsOf(path)?.[method.toLowerCase()]?.tags?.some((tag) => tags.has(tag)),
    );
    const without = ofAdministrators.filter(({ capacity }) => capacity === undefined);
    expect(ofAdministrators.length).toBeGreaterThan(20);
    expect(without.map(({ method, path }) => `${method} ${bareAddress(path)}`)).toEqual(['POST /events/reindex']);
  });

  it('can be reached under the address that the document gives it', () => {
    const addresses = routes.map(({ path }) => [
      path,
      resolveAddress(bareAddress(path).replaceAll(':', ''), 'internal'),
    ]);
    expect(addresses).toEqual(routes.map(({ path }) => [path, path.replaceAll(':', '')]));
  });

  it('is a documented operation, with a summary, a description, its answers, and whoever may call it', () => {
    const operations = routes.map((route) => {
      const operation = operationsOf(route.path)?.[route.method.toLowerCase()];
      return {
        route: named(route),
        isNamed: /^[a-z]/.test(operation?.operationId ?? '') && (operation?.summary ?? '') !== '',
        isDescribed: (operation?.description ?? '').length > 10,
        isTagged: (operation?.tags ?? []).length > 0,
        succeeds: Object.keys(operation?.responses ?? {}).some((status) => status.startsWith('2')),
        security: operation?.security,
      };
    });
    expect(operations).toEqual(
      routes.map((route) => ({
        route: named(route),
        isNamed: true,
        isDescribed: true,
        isTagged: true,
        succeeds: true,
        security: securityOf(route),
      })),
    );
  });

  it.each(['/events', '/events/notify', '/events/notifications'])(
    '%s, which has no event in its path, tells that there may be none',
    (path) => {
      expect(operationsOf(path)?.['post']?.responses).toHaveProperty('404');
    },
  );

  it.each([
    ['get', '/config', [200, 400, 401, 429, 500, 503]],
    ['get', '/integrations', [200, 400, 401, 403, 429, 500, 503]],
    ['get', '/integrations/{id}', [200, 400, 401, 403, 404, 429, 500, 503]],
    ['get', '/locations', [200, 304, 400, 401, 429, 500, 503]],
    ['get', '/location', [200, 304, 400, 500, 503]],
    ['get', '/files/{id}', [200, 403, 404, 500, 503]],
    ['get', '/docs/{asset}', [200, 304, 404, 500, 503]],
    ['get', '/users', [200, 400, 401, 403, 404, 429, 500, 503]],
    ['post', '/events/search', [200, 400, 401, 403, 413, 415, 429, 500, 503]],
    ['post', '/integrations/{id}/deactivate', [200, 400, 401, 403, 404, 413, 415, 429, 500, 503]],
    ['delete', '/webhooks/{webhookId}', [204, 400, 401, 403, 404, 413, 415, 429, 500, 503]],
    ['post', '/events/{eventId}/actions/assign', [200, 400, 401, 403, 404, 409, 413, 415, 429, 500, 503]],
  ])('has the answers that it gives, and no others: %s %s', (method, path, expected) => {
    expect(Object.keys(operationsOf(path)?.[method]?.responses ?? {}).map(Number)).toEqual(expected);
  });

  it.each([
    ['post', '/token', 200, ['Deprecation']],
    ['post', '/token', 401, ['Deprecation', 'WWW-Authenticate']],
    ['post', '/events/search', 200, ['Link']],
    ['get', '/integrations', 200, ['Link']],
    ['get', '/locations', 200, ['ETag', 'Link']],
    ['get', '/location', 200, ['ETag']],
  ])('names the headers of its own that clients need: %s %s %d', (method, path, status, expected) => {
    const responses = operationsOf(path)?.[method]?.responses as Record<number, { readonly headers?: object }>;
    expect(Object.keys(responses[status]?.headers ?? {})).toEqual(expected);
  });

  it('describes each answer', () => {
    const answers = Object.values(document.paths)
      .flatMap((item) => Object.values(item as Readonly<Record<string, Operation>>))
      .flatMap(({ responses = {} }) => Object.values(responses) as { readonly description?: string }[]);
    expect(answers.length).toBeGreaterThan(100);
    expect(answers.filter(({ description }) => description === '')).toEqual([]);
  });

  it.each(['CreateIntegrationDto', 'RegisterSystemClientDto'])('wants the list in the keys of a client: %s', (name) => {
    const { properties } = (document.components?.schemas?.[name] ?? {}) as { readonly properties?: object };
    expect(properties).toMatchObject({ jwks: { allOf: [{ type: 'object', required: ['keys'] }] } });
  });

  it('describes every member of an action that a trigger may bring', () => {
    const { requestBody } = operationsOf('/trigger/events/{eventType}/actions/{action}')?.['post'] as unknown as {
      readonly requestBody: { readonly content: Record<string, { readonly schema: SchemaObject }> };
    };
    const { actions } = requestBody.content['application/json']?.schema.properties ?? {};
    const { properties = {} } = (actions as SchemaObject).items as SchemaObject;
    expect(Object.keys(properties).sort()).toEqual(Object.keys(eventActionView(anAction())).sort());
  });

  it.each([
    ['user', 'For users alone.'],
    ['system', 'For system clients alone.'],
  ])('says where it is for one kind of caller: %s', (only, said) => {
    const described = routes.map(({ method, path }) => operationsOf(path)?.[method.toLowerCase()]?.description ?? '');
    const wanted = routes.filter((route) => route.only === only);
    expect(wanted.length).toBeGreaterThan(3);
    expect(routes.filter((_, at) => described[at]?.endsWith(said))).toEqual(wanted);
  });

  it('of users alone is not for the credentials of a client', () => {
    const { securitySchemes } = document.components ?? {};
    const { clientCredentials } = securitySchemes as unknown as {
      readonly clientCredentials: { readonly flows: { readonly clientCredentials: { readonly scopes: object } } };
    };
    const scopes = Object.keys(clientCredentials.flows.clientCredentials.scopes);
    expect(scopes).toEqual(expect.arrayContaining(['record.search', 'record.notify', 'record.action.accept']));
    expect(scopes.filter((scope) => ['record.register', 'integration.audit.read'].includes(scope))).toEqual([]);
  });

  it('that can fail has an example of each failure', () => {
    const responses = Object.entries(document.components?.responses ?? {});
    expect(responses.length).toBeGreaterThan(10);
    for (const [code, response] of responses) {
      const { content } = response as { content: Record<string, { example: { code: string; issues?: object[] } }> };
      const { example } = content['application/json'] ?? {};
      expect([code, example?.code]).toEqual([code, code]);
      expect(validate('ErrorObject', example)).toEqual([]);
    }
  });

  it('is told on the public port where it is served there', () => {
    const isServed = (path: string): boolean =>
      resolveAddress(bareAddress(path).replaceAll(':', ''), 'public') !== undefined;
    const served = new Set(routes.filter(({ path }) => isServed(path)).map(({ path }) => template(path)));
    expect(Object.keys(publicDocument.paths).sort()).toEqual([...served].sort());
    expect(served.size).toBeLessThan(Object.keys(document.paths).length);
    expect(JSON.stringify(publicDocument)).not.toMatch(
      /"Internal"|registerSystemClient|bulk-import|"record\.import"|"user\./,
    );
  });

  it('finds what it refers to in the document of either port, and nothing else is there', () => {
    for (const each of [document, publicDocument]) {
      const referred = new Set(JSON.stringify(each).match(/#\/components\/\w+\/\w+/g));
      const there = Object.entries(each.components ?? {}).flatMap(([kind, members]) =>
        Object.keys(members as object).map((name) => `#/components/${kind}/${name}`),
      );
      expect([...referred].filter((reference) => !there.includes(reference))).toEqual([]);
      const unused = there.filter((component) => !referred.has(component) && !component.includes('securitySchemes'));
      if (each === publicDocument) expect(unused).toEqual([]);
    }
  });

  it('takes no key of a body that its class does not know', () => {
    const schemas = Object.entries(document.components?.schemas ?? {}).filter(([name]) => name.endsWith('Dto'));
    expect(schemas.map(([name]) => name).sort()).toEqual([
      'AcceptDto',
      'ActionDto',
      'ActionWithContentDto',
      'ApproveCorrectionDto',
      'AssignmentDto',
      'AuthenticateDto',
      'ChangePasswordDto',
      'ClientCredentialsDto',
      'ClientIdDto',
      'ConfirmationReplayDto',
      'CreateAdministrativeAreaDto',
      'CreateAndNotifyDto',
      'CreateEventDto',
      'CreateIntegrationDto',
      'CreateLocationDto',
      'CredentialsDto',
      'HubDto',
      'JwkSetDto',
      'NewUserDto',
      'NotificationDto',
      'NotifyDto',
      'PersonNameDto',
      'ReasonedActionDto',
      'RecoveryTokenDto',
      'RegisterSystemClientDto',
      'RejectCorrectionDto',
      'RejectDto',
      'ReplayDto',
      'ResendCodeDto',
      'SecurityAnswerDto',
      'SendUserNameDto',
      'StartReindexDto',
      'SubscribeDto',
      'SuperUserDto',
      'TokenDto',
      'UpdatePlaceByIdDto',
      'UpdatePlaceDto',
      'UserChangeDto',
      'VerifyCodeDto',
      'VerifyTokenDto',
      'VerifyUserDto',
      'WebhookFormatDto',
    ]);
    for (const [name, schema] of schemas)
      expect([name, schema]).toEqual([name, expect.objectContaining({ additionalProperties: false })]);
  });

  it('says which parameters of its path are UUIDs: all but those that may be other text', () => {
    const parameters = Object.values(document.paths).flatMap((item) =>
      Object.values(item as Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>).flatMap(
        (operation) => operation.parameters ?? [],
      ),
    );
    const inPaths = parameters.filter((parameter) => parameter.in === 'path');
    const others = inPaths.filter(({ schema }) => schema?.format !== 'uuid').map(({ name }) => name);
    expect([...new Set(others)].sort()).toEqual(OTHER_PARAMETERS);
  });

  it('has an operation id of its own', () => {
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item as Record<string, { operationId?: string }>).map(({ operationId }) => operationId),
    );
    expect(ids).toEqual([...new Set(ids)]);
  });
});
