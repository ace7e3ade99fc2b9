import type { Somebody } from '../author.js';
import type { UserType } from '../user-type.js';
import type { AuthorOption, PlaceOption, ScopeOptions } from './scope.js';
import type { Uuid } from '../uuid.js';
import type { Permission } from './permission.js';

/**
 * A permission that a scope grants, and the records it is restricted to; without options it covers all of them.
 */
export interface Grant {
  readonly permission: Permission;
  readonly options: ScopeOptions;
}

/** Who is calling: the parsed claims of a verified access token. */
export interface Caller {
  /** `sub`: the client id, or the administrator's name. */
  readonly subject: string;
  readonly userType: UserType;
  /** Where a user works, to which jurisdiction options of scopes refer; system clients have none. */
  readonly office?: Uuid;
  /** The one event to which its scopes are restricted: of the service's own token (E-15). */
  readonly onlyEvent?: Uuid;
  /** The role of a user who is registered here (U-1), as it is now. */
  readonly role?: string;
  /** The scope strings as in the token; of a registered user those of his role. */
  readonly scopes: readonly string[];
  readonly grants: readonly Grant[];
  /**
   * All that its client holds, of a token that was narrowed: what scopes for reading exclude restricts the
   * client's others, whether the token has them or not.
   */
  readonly narrowedFrom?: Holdings;
}

/** Scopes, and what they grant. */
export type Holdings = Pick<Caller, 'scopes' | 'grants'>;

/**
 * The options of a scope that say which records it covers. Options that refer to what the caller has done himself say
 * who he is. Where he has an office, `within` has, in place of options that refer to it, the places that they admit.
 * `id`: the one event that is admitted.
 */
export interface RecordOptions
  extends Omit<ScopeOptions, AuthorOption>, Readonly<Partial<Record<AuthorOption, Somebody>>> {
  readonly within?: Readonly<Partial<Record<PlaceOption, readonly Uuid[]>>>;
  readonly id?: Uuid;
}

/**
 * What a caller may see under one permission: every record, or those that one of the option sets admits; an empty list
 * admits nothing.
 */
export type RowFilter = 'everything' | readonly RecordOptions[];

/** Whether some scope of the caller grants the permission, and permits the intent, whatever the record. */
export const mayDo = (caller: Caller, permission: Permission, intent?: Intent): boolean =>
  caller.grants.some(
    (grant) => grant.permission === permission && (intent === undefined || permits(grant.options, intent)),
  );

/** What is to be done, where a permission alone does not say it: without it, anything that a scope permits will do. */
export interface Intent {
  readonly customActionType?: string | undefined;
  /** The template of a certificate. */
  readonly template?: string | undefined;
}

/**
 * The records for which the caller has the permission. An unrestricted scope beside a restricted one means everything
 * scopes that do not permit the intent count for nothing.
 */
export function rowFilterOf(caller: Caller, permission: Permission, intent?: Intent): RowFilter {
  const options = caller.grants
    .filter((grant) => grant.permission === permission && (intent === undefined || permits(grant.options, intent)))
    .map((grant) => optionsOnRecords(grant.options));
  const records = rowFilterWith(options, caller);
  const { onlyEvent: id } = caller;
  return id === undefined ? records : (records === 'everything' ? [{}] : records).map((one) => ({ ...one, id }));
}

/** The records that one of the option sets of this caller admits. */
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

/** Those that say which records are covered. */
const optionsOnRecords = (options: ScopeOptions): ScopeOptions =>
  Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'customActionTypes' && name !== 'templates'));
