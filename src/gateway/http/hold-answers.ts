import type { FastifyReply, FastifyRequest } from 'fastify';

import type { AuthenticatedRequest } from '../../auth/access/decorators.js';
import { KIB } from '../../kernel/domain/bytes.js';
import type { AnswersInFlight } from '../../events/search/admission/answers-in-flight.js';

/** Shorter answers go to the connection at once; so many of each caller are permitted by the rate limit. */
export const LONGEST_UNHELD = 64 * KIB;

/**
 * Holds a long answer to a caller until its client has taken it, whatever its route. Streams are bounded by what
 * they have ahead, and who needs no token gets nothing but fixed documents, which must not take the room of others.
 * Throws 503 where there is no room.
 */
export function holdAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  length: number,
  inFlight: Pick<AnswersInFlight, 'hold' | 'isHeld'>,
): void {
  const { caller } = request as Partial<AuthenticatedRequest>;
  if (caller !== undefined && !inFlight.isHeld(reply.raw)) inFlight.hold(caller.subject, length, reply.raw);
}
