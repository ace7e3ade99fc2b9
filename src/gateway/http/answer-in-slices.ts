import type { FastifyInstance } from 'fastify';

import { hasLists, jsonInSlices } from '../../platform/queue/json-in-slices.js';

/**
 * Writes answers that have lists, such as an event with its actions, with turns for others in between. Errors are
 * short, and those of addresses without a route know no serializer.
 */
export function answerInSlices(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', async (_request, { statusCode }, payload) =>
    statusCode < FIRST_ERROR && hasLists(payload) ? jsonInSlices(payload) : payload,
  );
  fastify.setReplySerializer(textOf);
}

const FIRST_ERROR = 400;

/** Fastify sends bytes as they are, and takes them for a text. */
const textOf = (payload: unknown): string =>
  Buffer.isBuffer(payload) ? (payload as unknown as string) : JSON.stringify(payload);
