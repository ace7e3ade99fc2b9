import type { UserType } from '../domain/record/user-type.js';
import type { ScopeOptions } from '../domain/scope.js';
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
  /** The scope strings as in the token. */
  readonly scopes: readonly string[];
  readonly grants: readonly Grant[];
}

/**
 * What a caller may see under one permission: every record, or those that one of the option sets admits; an empty list
 * admits nothing.
 */
export type RowFilter = 'everything' | readonly ScopeOptions[];

/** Whether some scope of the caller grants the permission. */
export const mayDo = (caller: Caller, permission: Permission): boolean =>
  caller.grants.some((grant) => grant.permission === permission);

/** An unrestricted scope beside a restricted one means everything. */
export function rowFilterOf(caller: Caller, permission: Permission): RowFilter {
  const options = caller.grants.filter((grant) => grant.permission === permission).map((grant) => grant.options);
  return options.some((option) => Object.keys(option).length === 0) ? 'everything' : options;
}
