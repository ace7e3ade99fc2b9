import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

import type { Config } from '../../config/config.js';

const PREFLIGHT_SECONDS = 600;

/** CORS if `CORS_ORIGINS` names origins (G-7). */
export async function addCors(fastify: FastifyInstance, config: Config): Promise<void> {
  if (config.CORS_ORIGINS.length === 0) return;
  await fastify.register(cors, {
    origin: [...config.CORS_ORIGINS],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['deprecation', 'link', 'retry-after', 'www-authenticate', 'x-correlation-id'],
    maxAge: PREFLIGHT_SECONDS,
    // Otherwise the plugin refuses an OPTIONS request that is not a preflight in its own format.
    strictPreflight: false,
  });
}
