import { isUserType } from '../domain/record/user-type.js';
import { parseUuid } from '../domain/uuid.js';
import type { Caller } from './caller.js';
import { grantsOf } from './scope-permissions.js';

/**
 * The caller described by the claims of a verified access token; undefined if `sub` is not a text, `userType` is
 * neither `user` nor `system`, `scope` is not a list of strings, or `office` is no UUID. Scopes that grant nothing go
 * to `onUndecodable`.
 */
export function callerOf(claims: unknown, onUndecodable: (scope: string) => void): Caller | undefined {
  if (typeof claims !== 'object' || claims === null) return undefined;
  const { sub, userType, scope, office: officeId } = claims as Readonly<Record<string, unknown>>;
  if (typeof sub !== 'string' || sub === '' || !isUserType(userType) || !isListOfStrings(scope)) return undefined;
  const office = parseUuid(officeId);
  if (officeId !== undefined && office === undefined) return undefined;
  const grants = grantsOf(scope, onUndecodable);
  return { subject: sub, userType, ...(office !== undefined && { office }), scopes: scope, grants };
}

const isListOfStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
