import { splitTarget } from '../../auth/access/request-target.js';

/** Which of the two ports a request came in through (P-4). */
export type Listener = 'public' | 'internal';

/**
 * Where the feature modules are mounted. A feature has bare paths and does not know its mount; no address can reach a
 * mount directly, since no row of the table begins with it.
 */
export const MOUNTS = {
  records: '~records',
  auth: '~auth',
  webhooks: '~webhooks',
  gateway: '~gateway',
  trpc: '~trpc',
} as const;

type Segments = readonly string[];

/** The first segment of every address of the record API. */
const RECORD_RESOURCES = [
  'events',
  'location',
  'locations',
  'administrative-areas',
  'integrations',
  'attachments',
  'files',
  'config',
];

/** Addresses that consist of one segment, or begin with it, with the mount that serves them. */
const BARE: Readonly<Record<(typeof MOUNTS)[keyof typeof MOUNTS], Segments>> = {
  '~records': [...RECORD_RESOURCES, 'trigger', 'confirmations', 'upload', 'users'],
  '~auth': [
    'token',
    'authenticateSystemClient',
    'verifyToken',
    '.well-known',
    'registerSystemClient',
    'deactivateSystemClient',
    'reactivateSystemClient',
    'rotateShaSecret',
  ],
  '~webhooks': ['webhooks', 'setWebhookFormat'],
  '~gateway': ['health', 'ping', 'metrics', 'openapi.json', 'docs'],
  '~trpc': ['trpc'],
};

interface Row {
  readonly address: Segments;
  /** Replaces `address`; the rest of the path follows. */
  readonly target: Segments;
}

/** The table of G-1. The first row whose address is a prefix of the path decides, so longer rows come first. */
const ROWS: readonly Row[] = [
  ...RECORD_RESOURCES.map((resource) => ({ address: ['api', 'events', resource], target: [MOUNTS.records, resource] })),
  ...RECORD_RESOURCES.map((resource) => ({ address: ['events', resource], target: [MOUNTS.records, resource] })),
  { address: ['auth'], target: [MOUNTS.auth] },
  ...Object.entries(BARE).flatMap(([mount, names]) =>
    names.map((name) => ({ address: [name], target: [mount, name] })),
  ),
];

/** The rows by the first segment of their address. */
const ROWS_BY_SEGMENT: ReadonlyMap<string, readonly Row[]> = new Map(
  ROWS.map(({ address: [first = ''] }) => [first, ROWS.filter(({ address }) => address[0] === first)]),
);

/** Served by the internal port alone (P-4), by the target of a row: every spelling of an address leads there. */
const INTERNAL: readonly Segments[] = [
  [MOUNTS.auth, 'registerSystemClient'],
  [MOUNTS.auth, 'deactivateSystemClient'],
  [MOUNTS.auth, 'reactivateSystemClient'],
  [MOUNTS.auth, 'rotateShaSecret'],
  [MOUNTS.webhooks, 'setWebhookFormat'],
  [MOUNTS.records, 'trigger'],
  [MOUNTS.records, 'confirmations'],
  [MOUNTS.records, 'users'],
  [MOUNTS.records, 'events', 'bulk-import'],
  [MOUNTS.records, 'events', 'search', 'explain'],
  [MOUNTS.gateway, 'metrics'],
];

const beginsWith = (segments: Segments, prefix: Segments): boolean =>
  prefix.every((segment, at) => segments[at] === segment);

/**
 * The application's path and query for the address of a request, such as `/~records/events/search?a=b` for
 * `/api/events/events/search?a=b`; undefined if the listener has no such address (G-1). Every segment is decoded once
 * here, and encoded again for the router.
 */
export function resolveAddress(requestTarget: string, listener: Listener): string | undefined {
  const { path, query } = splitTarget(requestTarget);
  const resolved = resolvedPath(path, listener);
  return resolved === undefined ? undefined : `${resolved}${query}`;
}

function resolvedPath(path: string, listener: Listener): string | undefined {
  const segments = decodedSegments(path);
  if (segments === undefined) return undefined;
  const target = targetOf(segments);
  if (target === undefined) return undefined;
  if (listener === 'public' && isInternal(target)) return undefined;
  return `/${target.map(encodeURIComponent).join('/')}`;
}

function targetOf(segments: Segments): Segments | undefined {
  const procedures = proceduresOf(segments);
  if (procedures !== undefined) return [MOUNTS.trpc, 'trpc', procedures];
  const row = ROWS_BY_SEGMENT.get(segments[0] ?? '')?.find(({ address }) => beginsWith(segments, address));
  return row && [...row.target, ...segments.slice(row.address.length)];
}

/** Where the addresses of procedures begin (I-4), and what their names look like there. */
const PROCEDURES: readonly { readonly prefix: Segments; readonly name: RegExp }[] = [
  { prefix: ['api', 'events'], name: /^\w+(?:\.\w+)+$/ },
  { prefix: ['events'], name: /^\w+(?:\.\w+)+$/ },
  { prefix: [], name: /^(?:event|user|locations|administrativeAreas|integrations)(?:\.\w+)+$/ },
];

/** The segment that names procedures, if the address is theirs: one of them, or several between commas. */
function proceduresOf(segments: Segments): string | undefined {
  const names = segments.at(-1);
  const isTheirs = PROCEDURES.some(
    ({ prefix, name }) =>
      segments.length === prefix.length + 1 &&
      beginsWith(segments, prefix) &&
      names?.split(',').some((each) => name.test(each)) === true,
  );
  return isTheirs ? names : undefined;
}

/** Addresses that redirect to the documentation page (G-9); relative, as the service may be behind a prefix. */
const LEADS: ReadonlyMap<string, string> = new Map([
  ['/', 'docs'],
  ['/docs/', '../docs'],
]);

/**
 * The `Location` to which a request target redirects; undefined for an address that exists itself, or does not exist.
 */
export const leadOf = (requestTarget: string): string | undefined => LEADS.get(splitTarget(requestTarget).path);

/** Whether only the internal port serves a path of the application, given as segments or in the spelling of routes. */
export function isInternal(path: string | Segments): boolean {
  const segments = typeof path === 'string' ? path.slice(1).split('/') : path;
  return INTERNAL.some((prefix) => beginsWith(segments, prefix));
}

/** Mounts whose routes pass over parameters in their URL: of OAuth (RFC 6749 3.2), and of probes, which may add some. */
const TOLERANT_MOUNTS = [MOUNTS.auth, MOUNTS.gateway];

/** Whether a path of the application passes over parameters in its URL that it does not know. */
export const passesOverUrlKeys = (path: string): boolean =>
  TOLERANT_MOUNTS.some((mount) => path.startsWith(`/${mount}/`));

/**
 * The shortest public address of a path of the application: `/events/search` for `/~records/events/search`, and
 * `/auth/verifyCode` for `/~auth/verifyCode`, as what concerns users has no bare address.
 */
export function bareAddress(path: string): string {
  const bare = path.replace(/^\/~[a-z]+(?=\/)/, '');
  const [name = ''] = bare.slice(1).split(/[/?]/);
  return path.startsWith(`/${MOUNTS.auth}/`) && !BARE[MOUNTS.auth].includes(name) ? `/auth${bare}` : bare;
}

/** The decoded segments of a path; undefined if there is more than one way to read it. */
function decodedSegments(path: string): Segments | undefined {
  if (!path.startsWith('/') || path.includes('#')) return undefined;
  const segments = path.slice(1).split('/').map(decoded);
  return segments.every((segment) => segment !== undefined) ? segments : undefined;
}

/**
 * Empty segments (doubled slashes), dot segments, encoded slashes and control characters are not valid in an address.
 */
function decoded(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment);
    return /^\.{0,2}$|[/\\\u0000-\u001f\u007f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
