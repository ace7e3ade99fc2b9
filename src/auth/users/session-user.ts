import type { Caller } from '../../access/caller.js';
import type { KnownUser } from './user-directory.js';

/**
 * The id of the user whose session a token belongs to; undefined for other tokens, such as a client's or one that
 * `matricula token` made, which have no role.
 */
export function sessionUserOf(claims: unknown): string | undefined {
  if (typeof claims !== 'object' || claims === null || !('role' in claims)) return undefined;
  return 'sub' in claims && typeof claims.sub === 'string' ? claims.sub.toLowerCase() : '';
}

/**
 * The caller of a session as he is now, whatever the token says: with the scopes of his role, and in his office (U-7).
 * Undefined unless he is active.
 */
export function userNow({ subject, userType }: Caller, user: KnownUser | undefined): Caller | undefined {
  if (userType !== 'user' || user?.status !== 'active') return undefined;
  const { role, scopes, grants, officeId: office } = user;
  return { subject, userType, office, role, scopes, grants };
}
