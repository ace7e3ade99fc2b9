import type { FastifyReply, FastifyRequest } from 'fastify';

import { toErrorAnswer } from './error-answer.js';

/** Answers an error that Nest does not see with the error object of G-4: one of Fastify, or of a plugin's own route. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = toErrorAnswer(error);
  void reply.status(status).headers(headers).header('x-correlation-id', request.id).send(body);
}
