import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

import type { Config } from '../../config/config.js';

const PREFLIGHT_SECONDS = 600;

/** Security headers, and CORS where `CORS_ORIGINS` names origins (G-7). */
export async function addPlugins(fastify: FastifyInstance, config: Config): Promise<void> {
  await fastify.register(helmet, {
    // The page at /docs is served over plain http as well, where browsers would look for its parts under https.
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
  });
  if (config.CORS_ORIGINS.length === 0) return;
  await fastify.register(cors, {
    origin: [...config.CORS_ORIGINS],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    exposedHeaders: ['deprecation', 'link', 'retry-after', 'www-authenticate', 'x-correlation-id'],
    maxAge: PREFLIGHT_SECONDS,
    // Otherwise an OPTIONS request that is no preflight is refused in a shape of the plugin's own.
    strictPreflight: false,
  });
}
