import { type Caller, type Grant, type RowFilter, rowFilterWith } from '../../kernel/domain/scopes/caller.js';
import { decodeScope } from '../../kernel/domain/scopes/decode-scope.js';
import { type Permission, PERMISSIONS_ON_RECORDS, READING } from '../../kernel/domain/scopes/permission.js';
import { AUTHOR_OPTIONS, OFFICE_OPTIONS, type ScopeOptions } from '../../kernel/domain/scopes/scope.js';
import { canExcludeFlags, grantsOf } from './scope-permissions.js';

/**
 * Flags that hide a record from the caller for this permission (E-10). Where scopes cannot exclude flags, as for
 * notifying, flags that all find and read scopes exclude (`flags.noneOf=sealed`) hide it. An answer would otherwise
 * reveal the record. Narrowed tokens reveal no more.
 */
export function hidingFlagsFor(
  { grants, narrowedFrom }: Pick<Caller, 'grants' | 'narrowedFrom'>,
  permission: Permission,
): readonly string[] {
  if (canExcludeFlags(permission)) return [];
  return [...new Set([...excludedByAll(grants), ...excludedByAll(narrowedFrom?.grants ?? [])])];
}

function excludedByAll(grants: readonly Grant[]): readonly string[] {
  const [first = [], ...others] = grants.flatMap((grant) =>
    READING.has(grant.permission) ? [grant.options.flags?.noneOf ?? []] : [],
  );
  return first.filter((flag) => others.every((excluded) => excluded.includes(flag)));
}

/** Records sent to a client: those its read scopes admit; without any, all; undecodable, none. */
export function rowFilterOfClient(scopes: readonly string[], clientId: string): RowFilter {
  const undecodable: string[] = [];
  const grants = grantsOf(scopes, (scope) => void undecodable.push(scope));
  const options = grants.filter(({ permission }) => READING.has(permission)).map((grant) => grant.options);
  return options.length === 0 && undecodable.length === 0 ? 'everything' : rowFilterWith(options, client(clientId));
}

export const isSentEverything = (scopes: readonly string[]): boolean => rowFilterOfClient(scopes, '') === 'everything';

/** The client's read scopes decide about secured fields (E-10). */
export function readableByClient(scopes: readonly string[], clientId: string): RowFilter {
  const grants = grantsOf(scopes, () => undefined);
  const options = grants.flatMap((grant) => (grant.permission === 'record.read' ? [grant.options] : []));
  return rowFilterWith(options, client(clientId));
}

const client = (subject: string) => ({ subject, userType: 'system' }) as const;

type Flags = NonNullable<ScopeOptions['flags']>;

/** Permitted values, and references to the caller. */
const LISTS = ['event', 'status', 'customActionTypes', 'templates', 'role', 'ids'] as const;

/** A scope with more event and status pairs is compared as a whole. */
const MOST_PIECES = 500;

/** Compares the permission, and all records the grant covers (I-1). */
export function holds(held: readonly Grant[], { permission, options }: Grant): boolean {
  const ofPermission = held.filter((grant) => grant.permission === permission);
  return (
    ofPermission.length > 0 &&
    covers(
      ofPermission.map((grant) => grant.options),
      options,
    )
  );
}

/**
 * Scopes the caller may not grant (I-1, U-6). National system administrators may grant all scopes of clients and users.
 * A scope without permissions here needs one of its type. A scope that reaches further without the caller's restricting
 * scopes is not held. `placed` adjusts options for recipients in another office.
 */
export function notHeld(
  caller: Caller,
  scopes: readonly string[],
  placed: (options: ScopeOptions) => ScopeOptions = (options) => options,
): readonly string[] {
  const { grants, scopes: held } = caller;
  if (grants.some(({ permission }) => permission === 'natlsysadmin')) return [];
  const goesFurther = goingFurther(caller, scopes);
  return scopes.filter((scope) => {
    const asked = grantsOf([scope], () => undefined);
    return asked.length === 0
      ? !holdsType(held, scope, placed)
      : !asked.every(
          ({ permission, options }) =>
            holds(grants, { permission, options: placed(options) }) && !goesFurther(permission),
        );
  });
}

/** Permissions that reach further with these scopes: webhooks, and those that only reading restricts (E-10). */
function goingFurther(caller: Caller, scopes: readonly string[]): (permission: Permission) => boolean {
  const { scopes: held } = caller.narrowedFrom ?? caller;
  const isToldMore = isSentEverything(scopes) && !isSentEverything(held);
  const given = { grants: grantsOf(scopes, () => undefined) };
  return (permission) => {
    if (permission === 'webhook.subscribe') return isToldMore;
    if (!PERMISSIONS_ON_RECORDS.includes(permission)) return false;
    const hidden = hidingFlagsFor(given, permission);
    return !hidingFlagsFor(caller, permission).every((flag) => hidden.includes(flag));
  };
}

/** Upper bound for another user: `declaredBy=user` becomes everybody's. */
export const inOtherHands = (options: ScopeOptions): ScopeOptions =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !AUTHOR_OPTIONS.some((option) => option === name)));

function holdsType(held: readonly string[], scope: string, placed: (options: ScopeOptions) => ScopeOptions): boolean {
  const asked = decodeScope(scope);
  const ofType = held.flatMap((one) => decodeScope(one) ?? []).filter(({ type }) => type === asked?.type);
  return (
    asked !== undefined &&
    covers(
      ofType.map(({ options }) => options),
      placed(asked.options),
    )
  );
}

/** Whether one of `held` admits all of `asked`, for one caller and office. Held scopes are not combined. */
export function covers(held: readonly ScopeOptions[], asked: ScopeOptions): boolean {
  return piecesOf(asked).every((piece) => admitsNothing(piece) || held.some((one) => admitsAllOf(one, piece)));
}

/** Different scopes may hold the parts. */
function piecesOf(asked: ScopeOptions): readonly ScopeOptions[] {
  const events = asked.event?.map((event) => ({ event: [event] })) ?? [{}];
  const statuses = asked.status?.map((status) => ({ status: [status] })) ?? [{}];
  if (events.length * statuses.length > MOST_PIECES) return [asked];
  return events.flatMap((event) => statuses.map((status) => ({ ...asked, ...event, ...status })));
}

function admitsNothing({ flags = {}, ...options }: ScopeOptions): boolean {
  const excluded = new Set(flags.noneOf);
  return (
    LISTS.some((name) => options[name]?.length === 0) ||
    flags.allOf?.some((flag) => excluded.has(flag)) === true ||
    flags.anyOf?.every((flag) => excluded.has(flag)) === true
  );
}

function admitsAllOf(held: ScopeOptions, asked: ScopeOptions): boolean {
  return (
    LISTS.every((name) => isWithin(asked[name], held[name])) &&
    // The office lies in its administrative area.
    OFFICE_OPTIONS.every((name) =>
      [undefined, asked[name], ...(asked[name] === 'location' ? ['administrativeArea'] : [])].includes(held[name]),
    ) &&
    AUTHOR_OPTIONS.every((name) => held[name] === undefined || asked[name] !== undefined) &&
    flagsAdmitAllOf(held.flags ?? {}, asked.flags ?? {})
  );
}

const isWithin = (asked: readonly string[] | undefined, held: readonly string[] | undefined): boolean =>
  held === undefined || asked?.every((item) => held.includes(item)) === true;

function flagsAdmitAllOf(held: Flags, asked: Flags): boolean {
  const excluded = new Set(asked.noneOf);
  const some = asked.anyOf?.filter((flag) => !excluded.has(flag));
  // Every record has the required flags, and the only one of `anyOf` not excluded.
  const certain = new Set([...(asked.allOf ?? []), ...(some?.length === 1 ? some : [])]);
  return (
    (held.noneOf ?? []).every((flag) => excluded.has(flag)) &&
    (held.allOf ?? []).every((flag) => certain.has(flag)) &&
    (held.anyOf === undefined || held.anyOf.some((flag) => certain.has(flag)) || isWithin(some, held.anyOf))
  );
}
