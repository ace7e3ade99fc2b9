import type { FastifyReply, FastifyRequest } from 'fastify';

import { toErrorAnswer } from './error-answer.js';

/** Errors outside Nest, as in G-4: of Fastify, or plugins. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = toErrorAnswer(error);
  void reply.status(status).headers(headers).header('x-correlation-id', request.id).send(body);
}
