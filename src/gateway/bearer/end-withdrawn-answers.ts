import { isDeepStrictEqual } from 'node:util';

import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';

import type { AuthenticatedRequest } from '../../auth/access/decorators.js';
import type { Refusals } from '../../platform/queue/refusals.js';
import type { TokenStanding } from '../../auth/sessions/token-introspection.js';
import { readAccessClaims } from '../../auth/tokens/access-claims.js';
import { bearerCredentials } from './verified-tokens.js';

/** All that is asked is in memory, unless this process does not hear of changes. */
const EVERY_MS = 1_000;

/** Access tokens, as far as answers under way need them. */
export interface Withdrawals {
  readonly standing: Pick<TokenStanding, 'current' | 'callerNow'>;
  readonly refusals: Pick<Refusals, 'note'>;
}

/**
 * Ends a streamed answer when its caller would be refused, or see something else (G-3, U-7): the token was revoked, its
 * session ended, its client or user was deactivated, or what the user may do was changed. They could go on for as long
 * as an export may take. A token that expires meanwhile was good when its answer began.
 */
export function endWhenWithdrawn(request: FastifyRequest, reply: FastifyReply, withdrawals: Withdrawals): void {
  if (isAuthenticated(request)) watch(request, reply, withdrawals);
}

const isAuthenticated = (request: FastifyRequest): request is FastifyRequest & AuthenticatedRequest =>
  'caller' in request && request.caller !== undefined;

function watch(
  { caller, raw: { rawHeaders } }: FastifyRequest & AuthenticatedRequest,
  { raw: answer }: FastifyReply,
  { standing, refusals }: Withdrawals,
): void {
  const credentials = bearerCredentials(rawHeaders);
  // The guard has verified the token.
  const claims = credentials.kind === 'token' ? readAccessClaims(decodeJwt(credentials.token)) : undefined;
  if (claims === undefined || claims.kind === 'nobody' || answer.destroyed) return;
  const look = async (): Promise<void> => {
    await standing.current();
    if (answer.destroyed || isDeepStrictEqual(standing.callerNow(claims, caller), caller)) return;
    refusals.note('withdrawn', caller.subject);
    answer.destroy();
  };
  let isLooking = false;
  const looks = setInterval(() => {
    // The database may be slow to answer, or silent.
    if (isLooking) return;
    isLooking = true;
    // While the database cannot be asked, a stream gets nothing from it either.
    void look()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, EVERY_MS).unref();
  answer.once('close', () => {
    clearInterval(looks);
  });
}
