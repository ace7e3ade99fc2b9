import { LRUCache } from 'lru-cache';
import type { UserType } from '../../kernel/domain/event-record.js';
import type { DocumentTable } from '../../kernel/domain/record-columns.js';
import type { Caller, Grant } from '../../kernel/domain/scopes/caller.js';
import { readScope, UnreadableScope } from '../../kernel/domain/scopes/decode-scope.js';
import type { Permission } from '../../kernel/domain/scopes/permission.js';
import type { DecodedScope, ScopeOptions } from '../../kernel/domain/scopes/scope.js';
import { lowerUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { quoted } from '../../kernel/errors/faults.js';

/** Administrators who can get tokens. */
export const ADMINISTRATOR_SCOPES = {
  'national-system-admin': ['natlsysadmin', 'sysadmin'],
  'system-admin': ['sysadmin'],
} as const;

export type AdministratorRole = keyof typeof ADMINISTRATOR_SCOPES;

type OptionName = keyof ScopeOptions;

interface ScopeRow {
  readonly permissions: readonly Permission[];
  /** With any other option the scope grants nothing. */
  readonly options: readonly OptionName[];
}

const NO_OPTIONS: readonly OptionName[] = [];
const BY_EVENT: readonly OptionName[] = ['event'];
const BY_EVENT_AND_PLACE: readonly OptionName[] = ['event', 'placeOfEvent'];
const BY_DECLARED: readonly OptionName[] = [
  ...BY_EVENT_AND_PLACE,
  'status',
  'flags',
  'declaredIn',
  'notifiedIn',
  'declaredBy',
  'notifiedBy',
];
const BY_RECORD: readonly OptionName[] = [...BY_DECLARED, 'registeredIn', 'registeredBy'];
const BY_ACCESS_LEVEL: readonly OptionName[] = ['accessLevel'];
const BY_ROLE: readonly OptionName[] = ['accessLevel', 'role'];
const BY_IDS: readonly OptionName[] = ['ids'];

const ADMINISTRATION: readonly Permission[] = ['sysadmin', 'record.import', 'record.search', 'record.read'];
/** Additional permissions of a national system administrator (I-1). */
const NATIONAL_ADMINISTRATION: readonly Permission[] = [
  'integration.create',
  'integration.audit.read',
  'location.edit',
  'record.reindex',
  'token.introspect',
  'user.create',
  'user.read',
  'user.update',
];

/** Scopes that permit what their names say. */
const likeNamed = (options: readonly OptionName[], ...names: readonly Permission[]) =>
  names.map((name) => [name, { permissions: [name], options }] as const);

/** By type or as a literal. */
const SCOPES: ReadonlyMap<string, ScopeRow> = new Map<string, ScopeRow>([
  ['nationalId', { permissions: ['record.search', 'record.read', 'webhook.subscribe'], options: NO_OPTIONS }],
  [
    'health',
    {
      permissions: ['record.create', 'record.notify', 'record.search', 'attachment.upload', 'webhook.subscribe'],
      options: NO_OPTIONS,
    },
  ],
  ['ageCheck', { permissions: ['record.search', 'record.action.accept', 'record.action.reject'], options: NO_OPTIONS }],
  ['recordsearch', { permissions: ['record.search', 'record.read'], options: NO_OPTIONS }],
  ['webhook', { permissions: ['webhook.subscribe'], options: NO_OPTIONS }],

  ...likeNamed(BY_RECORD, 'record.search', 'record.read'),
  ...likeNamed(BY_EVENT_AND_PLACE, 'record.create', 'record.notify', 'record.declare'),
  ...likeNamed(BY_DECLARED, 'record.edit', 'record.register', 'record.reject', 'record.archive'),
  ...likeNamed(BY_RECORD, 'record.unarchive', 'record.review-duplicates'),
  ...likeNamed([...BY_RECORD, 'templates'], 'record.print-certified-copies'),
  ...likeNamed(BY_RECORD, 'record.request-correction', 'record.correct'),
  ...likeNamed(BY_RECORD, 'record.revoke-registration', 'record.reinstate-registration'),
  ...likeNamed(BY_RECORD, 'record.deactivate-registration', 'record.reactivate-registration'),
  ...likeNamed([...BY_RECORD, 'customActionTypes'], 'record.custom-action'),
  ...likeNamed(BY_RECORD, 'record.unassign-others'),
  ...likeNamed(BY_EVENT, 'record.action.accept', 'record.action.reject'),
  ...likeNamed(NO_OPTIONS, 'record.import', 'record.reindex', 'attachment.upload', 'location.edit'),
  ...likeNamed(NO_OPTIONS, 'integration.create', 'integration.audit.read', 'token.introspect'),
  ...likeNamed(BY_ROLE, 'user.create'),
  ['user.edit', { permissions: ['user.update'], options: BY_ROLE }],
  ...likeNamed(BY_ROLE, 'user.update'),
  ...likeNamed(BY_ACCESS_LEVEL, 'user.read'),
  ['user.search', { permissions: ['user.read'], options: BY_ACCESS_LEVEL }],

  ['sysadmin', { permissions: ADMINISTRATION, options: NO_OPTIONS }],
  [
    'natlsysadmin',
    { permissions: ['natlsysadmin', ...ADMINISTRATION, ...NATIONAL_ADMINISTRATION], options: NO_OPTIONS },
  ],
]);

/** Scopes of other releases, without permissions here; clients may hold all they ever needed. */
const OF_OTHER_SERVICES: ReadonlyMap<string, readonly OptionName[]> = new Map([
  ['bypassratelimit', NO_OPTIONS],
  ['config.update-all', NO_OPTIONS],
  ['performance.read', NO_OPTIONS],
  ['performance.read-dashboards', NO_OPTIONS],
  ['performance.vital-statistics-export', NO_OPTIONS],
  ['profile.electronic-signature', NO_OPTIONS],
  ['record.export', NO_OPTIONS],
  ['user.data-seeding', NO_OPTIONS],
  ['user.read-only-my-audit', NO_OPTIONS],
  ['organisation.read-locations', BY_ACCESS_LEVEL],
  ['workqueue', BY_IDS],
  ['dashboard.view', BY_IDS],
]);

/** Token scopes by kind of client. */
export const REGISTRATION_SCOPES = {
  NATIONAL_ID: ['nationalId'],
  HEALTH: ['health'],
  EXTERNAL_VALIDATION: ['ageCheck'],
  RECORD_SEARCH: ['recordsearch'],
  WEBHOOK: ['webhook'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Registration = keyof typeof REGISTRATION_SCOPES;

/** A scope that is malformed, unknown, or has an invalid option grants nothing and goes to `onUndecodable`. */
export function grantsOf(scopes: readonly string[], onUndecodable: (scope: string) => void): readonly Grant[] {
  return scopes.flatMap((scope) => {
    const known = knownScope(scope);
    if (!(known instanceof UnreadableScope)) {
      return known.permissions.map((permission) => ({ permission, options: known.options }));
    }
    onUndecodable(scope);
    return [];
  });
}

/** Why a scope grants nothing; undefined if it is understood. */
export function faultOfScope(scope: string): string | undefined {
  const known = knownScope(scope);
  return known instanceof UnreadableScope ? known.reason : undefined;
}

type KnownScope = Pick<ScopeRow, 'permissions'> & Pick<DecodedScope, 'options'>;

function knownScope(scope: string): KnownScope | UnreadableScope {
  const decoded = readScope(scope);
  if (decoded instanceof UnreadableScope) return decoded;
  const { type, options } = decoded;
  const row = rowOf(type);
  if (row === undefined) return new UnreadableScope(`"${type}" is no type of scope`);
  const other = Object.keys(options).find((name) => !takes(row, name));
  if (other === undefined) return { permissions: row.permissions, options };
  const taken = row.options.length === 0 ? 'none' : row.options.join(', ');
  return new UnreadableScope(`${type} does not take ${other}; it takes ${taken}`);
}

function rowOf(type: string): ScopeRow | undefined {
  const options = OF_OTHER_SERVICES.get(type);
  return SCOPES.get(type) ?? (options && { permissions: [], options });
}

const takes = (row: ScopeRow, name: string): boolean => row.options.some((option) => option === name);

export const canExcludeFlags = (permission: Permission): boolean =>
  [...SCOPES.values()].some((row) => row.permissions.includes(permission) && takes(row, 'flags'));

/** */
export const registrationTable = (): DocumentTable => ({
  heads: ['registered as', 'scope of its tokens', 'permits'],
  rows: Object.entries(REGISTRATION_SCOPES).map(([kind, scopes]) => [
    `\`${kind}\``,
    quoted(scopes),
    quoted(scopes.flatMap((scope) => SCOPES.get(scope)?.permissions ?? [])),
  ]),
});

/** */
export const scopeTable = (): DocumentTable => ({
  heads: ['scope', 'permits', 'options'],
  rows: [...SCOPES].map(([type, { permissions, options }]) => [
    `\`${type}\``,
    permissions.length === 1 && permissions[0] === type ? 'what it says' : quoted(permissions),
    quoted(options),
  ]),
});

/** */
export interface ClaimsOfCaller {
  readonly sub: string;
  readonly userType: UserType;
  readonly scope: readonly string[];
  readonly office?: Uuid | undefined;
  readonly onlyEvent?: Uuid | undefined;
}

export function callerOf(
  { sub, userType, scope, office, onlyEvent }: ClaimsOfCaller,
  onUndecodable: (scope: string) => void,
): Caller {
  const grants = grantsOf(scope, onUndecodable);
  return {
    ...{ subject: lowerUuid(sub), userType, scopes: scope, grants },
    ...(office !== undefined && { office }),
    ...(onlyEvent !== undefined && { onlyEvent }),
  };
}

const REMEMBERED = 1_000;
const SHOWN_CHARACTERS = 200;

/** Logs each scope that grants nothing once; remembers the latest thousand. */
export class UndecodableScopes {
  private readonly known = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(private readonly log: (line: string) => void) {}

  readonly note = (scope: string): void => {
    const shown = JSON.stringify(scope.slice(0, SHOWN_CHARACTERS));
    if (this.known.has(shown)) return;
    this.known.set(shown, true);
    this.log(`a scope that is not understood grants nothing: ${shown}`);
  };
}
