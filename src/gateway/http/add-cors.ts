import cors from '@fastify/cors';
import type { FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Config } from '../../platform/config/config.js';
import { sendError } from '../errors/send-error.js';
import { faultOfHead } from './fault-of-head.js';

const PREFLIGHT_SECONDS = 600;
/** The plugin's route alone has this path. */
const ANY_PATH = '*';

/** CORS if `CORS_ORIGINS` names origins (G-7). */
export async function addCors(fastify: FastifyInstance, config: Config): Promise<void> {
  if (config.CORS_ORIGINS.length === 0) return;
  const options: FastifyCorsOptions = {
    origin: [...config.CORS_ORIGINS],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['deprecation', 'link', 'retry-after', 'www-authenticate', 'x-correlation-id'],
    maxAge: PREFLIGHT_SECONDS,
    // Otherwise the plugin refuses an OPTIONS request that is not a preflight in its own format.
    strictPreflight: false,
  };
  // The plugin takes OPTIONS by a route of its own, which does not get the error filter of Nest's.
  fastify.addHook('onRoute', (route) => {
    if (route.url === ANY_PATH) route.errorHandler = sendError;
  });
  await fastify.register(
    cors,
    () => (request: FastifyRequest, use: (error: null, options: FastifyCorsOptions) => void) => {
      // Also of unknown addresses: the page reads that in the answer to its request. Later hooks answer a wrong head,
      // so that the page may read that, too.
      use(null, { ...options, preflight: isPreflight(request) && faultOfHead(request.raw) === undefined });
    },
  );
}

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
