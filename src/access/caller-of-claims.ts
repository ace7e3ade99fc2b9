import { isUserType } from '../domain/record/user-type.js';
import type { Caller } from './caller.js';
import { grantsOf } from './scope-permissions.js';

/**
 * The caller described by the claims of a verified access token; undefined if `sub` is not a text, `userType` is
 * neither `user` nor `system`, or `scope` is not a list of strings. Scopes that grant nothing go to `onUndecodable`.
 */
export function callerOf(claims: unknown, onUndecodable: (scope: string) => void): Caller | undefined {
  if (typeof claims !== 'object' || claims === null) return undefined;
  const { sub, userType, scope } = claims as Readonly<Record<string, unknown>>;
  if (typeof sub !== 'string' || sub === '' || !isUserType(userType) || !isListOfStrings(scope)) return undefined;
  return { subject: sub, userType, scopes: scope, grants: grantsOf(scope, onUndecodable) };
}

const isListOfStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
