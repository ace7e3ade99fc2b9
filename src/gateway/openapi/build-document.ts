import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { AccessRule } from '../../auth/access/decorators.js';
import { searchSchemas } from '../../events/search/search.openapi.js';
import type { UserType } from '../../kernel/domain/event-record.js';
import type { Permission } from '../../kernel/domain/scopes/permission.js';
import { packageVersion } from '../../platform/config/package-version.js';
import { bareAddress, isInternal, passesOverUrlKeys } from '../http/routes.js';
import { ERROR_RESPONSES, errorResponsesOf, withExamples } from './error-responses.js';
import { REQUEST_EXAMPLES } from './request-examples.js';
import type { CataloguedRoute } from './route-catalogue.js';

type Members = Readonly<Record<string, unknown>>;

const REFERENCE = /^#\/components\/(\w+)\/(.+)$/;

/** Without operations tagged `internalTag`, and their components (G-9). */
export function publicDocument(document: OpenAPIObject, internalTag: string): OpenAPIObject {
  const isPublic = (operation: unknown): boolean => !tagsOf(operation).includes(internalTag);
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .map(([path, item]) => [path, Object.fromEntries(Object.entries(item).filter(([, each]) => isPublic(each)))])
      .filter(([, item]) => Object.keys(item as object).length > 0),
  ) as OpenAPIObject['paths'];
  const tags = document.tags?.filter(({ name }) => name !== internalTag);
  const { securitySchemes = {}, ...components } = document.components ?? {};
  return {
    ...document,
    ...(tags !== undefined && { tags }),
    paths,
    components: { ...needed(components, paths), securitySchemes: withScopesOf(paths, securitySchemes) },
  };
}

type Schemes = NonNullable<NonNullable<OpenAPIObject['components']>['securitySchemes']>;

function withScopesOf(paths: OpenAPIObject['paths'], schemes: Schemes): Schemes {
  const operations = Object.values(paths).flatMap((item) => Object.values(item) as Operation[]);
  const asked = new Set(
    operations.flatMap(({ security = [] }) => security.flatMap((one) => Object.values(one).flat())),
  );
  return Object.fromEntries(
    Object.entries(schemes).map(([name, scheme]) => {
      const flow = 'flows' in scheme ? scheme.flows.clientCredentials : undefined;
      if (flow === undefined) return [name, scheme];
      const scopes = Object.fromEntries(Object.entries(flow.scopes).filter(([scope]) => asked.has(scope)));
      return [name, { ...scheme, flows: { clientCredentials: { ...flow, scopes } } }];
    }),
  );
}

const tagsOf = (operation: unknown): readonly unknown[] =>
  typeof operation === 'object' && operation !== null && 'tags' in operation && Array.isArray(operation.tags)
    ? operation.tags
    : [];

/** Transitive. */
function needed(components: object, from: object): Members {
  const found = new Map<string, Map<string, unknown>>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value as Members)) {
      if (key === '$ref' && typeof member === 'string') follow(member);
      else visit(member);
    }
  };
  const follow = (reference: string): void => {
    const [, kind = '', name = ''] = REFERENCE.exec(reference) ?? [];
    const component = ((components as Readonly<Record<string, Members>>)[kind] ?? {})[name];
    const ofKind = found.get(kind) ?? new Map<string, unknown>();
    if (component === undefined || ofKind.has(name)) return;
    found.set(kind, ofKind.set(name, component));
    visit(component);
  };
  visit(from);
  return Object.fromEntries([...found].map(([kind, members]) => [kind, Object.fromEntries(members)]));
}

/** Administrators' tokens come from the command line (A-11). */
type OfClients = Exclude<Permission, 'sysadmin' | 'natlsysadmin'>;

const SCOPE_DESCRIPTIONS: Readonly<Record<OfClients, string>> = {
  'record.search': 'Search records, count them, and have them streamed',
  'record.read': 'Read an event with its actions',
  'record.create': 'Create events',
  'record.notify': 'Notify events',
  'record.declare': 'Declare events',
  'record.edit': 'Edit notified and declared records',
  'record.register': 'Register declared records',
  'record.reject': 'Send records back for updates',
  'record.archive': 'Archive records',
  'record.unarchive': 'Restore archived records',
  'record.review-duplicates': 'Decide whether records are duplicates',
  'record.print-certified-copies': 'Note that certificates were printed',
  'record.request-correction': 'Request corrections of registered records',
  'record.correct': 'Correct registered records, and decide on requests for it',
  'record.revoke-registration': 'Revoke registrations',
  'record.reinstate-registration': 'Reinstate revoked registrations',
  'record.deactivate-registration': 'Deactivate registrations',
  'record.reactivate-registration': 'Reactivate registrations',
  'record.custom-action': 'Take the custom actions of the country',
  'record.unassign-others': 'Take events away from whoever they are assigned to',
  'record.import': 'Import records, and trigger notifications',
  'record.reindex': 'Derive the search index of all records again',
  'record.action.accept': 'Accept requested actions',
  'record.action.reject': 'Reject requested actions',
  'attachment.upload': 'Upload files',
  'webhook.subscribe': 'Subscribe to notifications, and replay them',
  'location.edit': 'Create and change places',
  'integration.create': 'Create and change system clients',
  'integration.audit.read': 'Read what system clients did',
  'token.introspect': 'Ask about the tokens of others',
  'user.create': 'Create users',
  'user.read': 'Read users',
  'user.update': 'Change users',
};

const isOfClients = (permission: Permission): permission is OfClients => Object.hasOwn(SCOPE_DESCRIPTIONS, permission);

type PathItem = OpenAPIObject['paths'][string];
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Operation = NonNullable<PathItem['get']>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** Operations of the internal port only. */
export const INTERNAL_TAG = 'Internal';
/** In page order: the most needed first. */
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
  /** The public address. */
  readonly url: string;
  /** `SEARCH_MAX_LIMIT`. */
  readonly maxLimit: number;
}

/** OpenAPI 3.1, every route under its public address (G-9). */
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

const closed = (schemas: Schemas): Schemas =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, { ...schema, additionalProperties: false }]),
  );

const permissionsOf = (access: AccessRule | undefined): readonly Permission[] =>
  typeof access === 'string' ? [] : (access ?? []);

/** Operations of users alone exclude clients. */
const isForClients = ({ only }: CataloguedRoute): boolean => only !== 'user';

/** Any token for `authenticated`; otherwise one of the permissions. */
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
 * Its scopes are the required permissions: a client with another scope for the same permission is refused these
 * names.
 */
const flowOf = (permissions: readonly Permission[]): { tokenUrl: string; scopes: Record<string, string> } => ({
  tokenUrl: '/auth/token',
  scopes: Object.fromEntries(
    [...new Set(permissions.filter(isOfClients))]
      .sort()
      .map((permission) => [permission, SCOPE_DESCRIPTIONS[permission]]),
  ),
});

/** Others get 403, whatever their scopes (E-11). */
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

/** Adds callers, common errors and tags. */
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

/** An example in each media type. */
function withExampleBody({ operationId = '', requestBody }: Operation): Pick<Operation, 'requestBody'> {
  if (requestBody === undefined || '$ref' in requestBody) return {};
  const example = REQUEST_EXAMPLES.get(operationId);
  const content = Object.entries(requestBody.content).map(([type, media]) => [type, { ...media, example }] as const);
  return { requestBody: { ...requestBody, content: Object.fromEntries(content) } };
}
