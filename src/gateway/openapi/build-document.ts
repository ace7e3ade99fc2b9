import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

import type { AccessRule } from '../../auth/access/allow.js';
import type { Permission } from '../../kernel/domain/scopes/permission.js';
import { packageVersion } from '../../platform/config/package-version.js';
import type { UserType } from '../../kernel/domain/user-type.js';
import { searchSchemas } from '../../events/search/search.openapi.js';
import { bareAddress, isInternal, passesOverUrlKeys } from '../http/routes.js';
import { isOfClients, SCOPE_DESCRIPTIONS } from './described-scopes.js';
import { ERROR_RESPONSES, errorResponsesOf, withExamples } from './error-responses.js';
import { REQUEST_EXAMPLES } from './request-examples.js';
import type { CataloguedRoute } from './route-catalogue.js';

type PathItem = OpenAPIObject['paths'][string];
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Operation = NonNullable<PathItem['get']>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** The tag of operations that only the internal port serves. */
export const INTERNAL_TAG = 'Internal';
/** In the order of the page: what most integrations need comes first. */
const TAGS: Readonly<Record<string, string>> = {
  Create: 'Creating events',
  Notify: 'Notifying events, as hospitals do',
  Search: 'Finding records',
  Records: 'Events and what is done with them',
  Files: 'Attachments',
  Places: 'Administrative areas, offices and facilities',
  Webhooks: 'Notifications of what happened to records',
  Auth: 'Access tokens and sign-in',
  Integrations: 'System clients, by those who may create them',
  Configuration: 'Event types and their forms',
  Reindex: 'Deriving the search index again',
  tRPC: 'The same operations as upstream’s clients call them',
  Users: 'People who sign in',
  'System clients': 'Registering system clients',
  Health: 'Whether the service is well',
  Documentation: 'This document and its page',
  [INTERNAL_TAG]: 'Served on the internal port alone',
};
const BEARER = 'bearer';
const CLIENT_CREDENTIALS = 'clientCredentials';
const DESCRIPTION = `Search over civil registration event records, and access tokens for system clients.

Every error is an error object, but for those of the token endpoint, \`/auth/revoke\` and \`/auth/introspect\` (RFC 6749
5.2), of tRPC, and a denied subscription.

Every answer has an \`x-correlation-id\`: that of the request, the trace id of its
\`traceparent\`, or a new one. The log has it too.`;

interface About {
  /** Where clients reach the service. */
  readonly url: string;
  /** `SEARCH_MAX_LIMIT`. */
  readonly maxLimit: number;
}

/** The OpenAPI 3.1 document of every route, under its bare public address (G-9). */
export function buildDocument(
  app: INestApplication,
  routes: readonly CataloguedRoute[],
  { url, maxLimit }: About,
): OpenAPIObject {
  const permissions = routes.filter(isForClients).flatMap(({ access }) => permissionsOf(access));
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Matricula')
    .setDescription(DESCRIPTION)
    .setVersion(packageVersion())
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(url)
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, BEARER)
    .addOAuth2({ type: 'oauth2', flows: { clientCredentials: flowOf(permissions) } }, CLIENT_CREDENTIALS)
    .build();
  const document = SwaggerModule.createDocument(app, config, { autoTagControllers: false });
  const byAddress = new Map(routes.map((route) => [`${route.method} ${templateOf(route.path)}`, route]));
  const paths = Object.entries(document.paths).map(([path, item]) => [
    bareAddress(path),
    completedItem(item, path, byAddress),
  ]);
  return {
    ...document,
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths) as OpenAPIObject['paths'],
    components: {
      ...document.components,
      schemas: { ...searchSchemas(maxLimit), ...closed(document.components?.schemas ?? {}) },
      responses: { ...ERROR_RESPONSES, ...document.components?.responses },
    },
  };
}

/** The schemas of DTOs, which know all their keys. */
const closed = (schemas: Schemas): Schemas =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, { ...schema, additionalProperties: false }]),
  );

const permissionsOf = (access: AccessRule | undefined): readonly Permission[] =>
  typeof access === 'string' ? [] : (access ?? []);

/** What users alone may do, no client may with its own credentials. */
const isForClients = ({ only }: CataloguedRoute): boolean => only !== 'user';

/** Any token will do for `authenticated`; otherwise one with any of the permissions. */
function securityOf(route: CataloguedRoute): Record<string, string[]>[] {
  const { access } = route;
  return access === 'authenticated'
    ? [{ [BEARER]: [] }, ...(isForClients(route) ? [{ [CLIENT_CREDENTIALS]: [] }] : [])]
    : permissionsOf(access).flatMap((permission) => [
        { [BEARER]: [permission] },
        ...(isForClients(route) && isOfClients(permission) ? [{ [CLIENT_CREDENTIALS]: [permission] }] : []),
      ]);
}

/**
 * How a client gets a token. The scopes of the flow are the permissions that operations require: tools that ask
 * for them by name are refused where a client holds another scope that permits the same.
 */
const flowOf = (permissions: readonly Permission[]): { tokenUrl: string; scopes: Record<string, string> } => ({
  tokenUrl: '/auth/token',
  scopes: Object.fromEntries(
    [...new Set(permissions.filter(isOfClients))]
      .sort()
      .map((permission) => [permission, SCOPE_DESCRIPTIONS[permission]]),
  ),
});

/** Whose an operation is that others get 403 of, whatever their scopes (E-11). */
const FOR: Readonly<Record<UserType, string>> = { user: 'For users alone.', system: 'For system clients alone.' };

/** `/events/{eventId}` for `/events/:eventId`. */
const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

function completedItem(item: PathItem, path: string, byAddress: ReadonlyMap<string, CataloguedRoute>): PathItem {
  const operations = METHODS.flatMap((method) => {
    const operation = item[method];
    const route = byAddress.get(`${method.toUpperCase()} ${path}`);
    return operation === undefined || route === undefined ? [] : [[method, completed(operation, path, route)]];
  });
  return { ...item, ...Object.fromEntries(operations) } as PathItem;
}

/** An operation with who may call it, its common errors, and the tag of internal ones. */
function completed(operation: Operation, path: string, route: CataloguedRoute): Operation {
  const { method, access, only, ownUrlKeys } = route;
  const internal = isInternal(path);
  const isPublic = access === 'public';
  const errors = errorResponsesOf({
    isPublic,
    isRestricted: !isPublic && (access !== 'authenticated' || only !== undefined),
    isInternal: internal,
    readsBodies: method !== 'GET',
    namesSomething: path.includes('{'),
    refusesUrlKeys: !passesOverUrlKeys(path) && ownUrlKeys !== 'any',
  });
  return {
    ...operation,
    ...(only !== undefined && { description: `${operation.description ?? ''} ${FOR[only]}` }),
    ...withExampleBody(operation),
    tags: [...(operation.tags ?? []), ...(internal ? [INTERNAL_TAG] : [])],
    security: securityOf(route),
    responses: withExamples({ ...errors, ...operation.responses }),
  };
}

/** The body of an operation's requests, with an example in each of its media types. */
function withExampleBody({ operationId = '', requestBody }: Operation): Pick<Operation, 'requestBody'> {
  if (requestBody === undefined || '$ref' in requestBody) return {};
  const example = REQUEST_EXAMPLES.get(operationId);
  const content = Object.entries(requestBody.content).map(([type, media]) => [type, { ...media, example }] as const);
  return { requestBody: { ...requestBody, content: Object.fromEntries(content) } };
}
