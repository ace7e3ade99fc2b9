import type { Somebody, UserType } from '../event-record.js';
import type { AuthorOption, PlaceOption, ScopeOptions } from './scope.js';
import type { Uuid } from '../uuid.js';
import type { Permission } from './permission.js';

/** A permission granted by a scope, restricted to records; without options it covers all. */
export interface Grant {
  readonly permission: Permission;
  readonly options: ScopeOptions;
}

export interface Caller {
  /** `sub`: the client id, or the administrator's name. */
  readonly subject: string;
  readonly userType: UserType;
  /** A user's office, to which jurisdiction options refer; system clients have none. */
  readonly office?: Uuid;
  /** The only event its scopes cover: in the service's own token (E-15). */
  readonly onlyEvent?: Uuid;
  /** The current role of a registered user (U-1). */
  readonly role?: string;
  /** As in the token; for a registered user those of the role. */
  readonly scopes: readonly string[];
  readonly grants: readonly Grant[];
  /** A narrowed token's client holds these; exclusions of its scopes for reading restrict its other scopes. */
  readonly narrowedFrom?: Holdings;
}

export type Holdings = Pick<Caller, 'scopes' | 'grants'>;

/**
 * Covered records. Options on own actions hold the caller's identity; with an office, `within` holds the places that
 * relative options admit. `id`: the one admitted event.
 */
export interface RecordOptions
  extends Omit<ScopeOptions, AuthorOption>, Readonly<Partial<Record<AuthorOption, Somebody>>> {
  readonly within?: Readonly<Partial<Record<PlaceOption, readonly Uuid[]>>>;
  readonly id?: Uuid;
}

/** Every record, or those of one option set; an empty list admits none. */
export type RowFilter = 'everything' | readonly RecordOptions[];

/** Whether some scope grants the permission and the intent on any record. */
export const mayDo = (caller: Caller, permission: Permission, intent?: Intent): boolean =>
  caller.grants.some(
    (grant) => grant.permission === permission && (intent === undefined || permits(grant.options, intent)),
  );

/** Refines a permission; absent: any intent that a scope permits. */
export interface Intent {
  readonly customActionType?: string | undefined;
  readonly template?: string | undefined;
}

/** An unrestricted scope overrides restricted ones; scopes that do not permit the intent are ignored. */
export function rowFilterOf(caller: Caller, permission: Permission, intent?: Intent): RowFilter {
  const options = caller.grants
    .filter((grant) => grant.permission === permission && (intent === undefined || permits(grant.options, intent)))
    .map((grant) => optionsOnRecords(grant.options));
  const records = rowFilterWith(options, caller);
  const { onlyEvent: id } = caller;
  return id === undefined ? records : (records === 'everything' ? [{}] : records).map((one) => ({ ...one, id }));
}

export const rowFilterWith = (options: readonly ScopeOptions[], { subject, userType }: Somebody): RowFilter =>
  options.some((option) => Object.keys(option).length === 0)
    ? 'everything'
    : options.map((option) => recordOptions(option, { subject, userType }));

function recordOptions(options: ScopeOptions, caller: Somebody): RecordOptions {
  const { declaredBy, registeredBy, notifiedBy, ...others } = options;
  return {
    ...others,
    ...(declaredBy && { declaredBy: caller }),
    ...(registeredBy && { registeredBy: caller }),
    ...(notifiedBy && { notifiedBy: caller }),
  };
}

const permits = ({ customActionTypes, templates }: ScopeOptions, { customActionType, template }: Intent): boolean =>
  isAmong(customActionType, customActionTypes) && isAmong(template, templates);

const isAmong = (value: string | undefined, permitted: readonly string[] | undefined): boolean =>
  permitted === undefined || (value !== undefined && permitted.includes(value));

const optionsOnRecords = (options: ScopeOptions): ScopeOptions =>
  Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'customActionTypes' && name !== 'templates'));
