import type { FastifyReply, FastifyRequest } from 'fastify';

import { toErrorAnswer } from './error-answer.js';

/** The error object of G-4 for errors outside Nest: of Fastify, or of a plugin's route. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = toErrorAnswer(error);
  void reply.status(status).headers(headers).header('x-correlation-id', request.id).send(body);
}
