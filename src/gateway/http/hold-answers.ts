import type { FastifyInstance } from 'fastify';

import type { AuthenticatedRequest } from '../../access/current-caller.js';
import { KIB } from '../../domain/bytes.js';
import type { AnswersInFlight } from '../../search/admission/answers-in-flight.js';

/** Shorter answers go to the connection at once; so many of each caller are permitted by the rate limit. */
const LONGEST_UNHELD = 64 * KIB;

/**
 * Holds every long answer to a caller until its client has taken it, whatever its route. Streams are bounded by
 * what they have ahead, and who needs no token gets nothing but fixed documents, which must not take the room of
 * others.
 */
export function holdAnswers(fastify: FastifyInstance, inFlight: Pick<AnswersInFlight, 'hold' | 'isHeld'>): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
    const { caller } = request as Partial<AuthenticatedRequest>;
    if (isWhole && payload.length > LONGEST_UNHELD && caller !== undefined && !inFlight.isHeld(reply.raw)) {
      try {
        inFlight.hold(caller.subject, payload.length, reply.raw);
      } catch (error) {
        done(error as Error);
        return;
      }
    }
    done(null, payload);
  });
}
