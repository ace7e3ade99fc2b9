import type { Caller } from '../../access/caller.js';
import type { KnownUser } from './user-directory.js';

/**
 * The caller of a session as he is now, whatever the token says: with the scopes of his role, and in his office (U-7).
 * Undefined unless he is active.
 */
export function userNow(subject: string, user: KnownUser | undefined): Caller | undefined {
  if (user?.status !== 'active') return undefined;
  const { role, scopes, grants, officeId: office } = user;
  return { subject, userType: 'user', office, role, scopes, grants };
}
