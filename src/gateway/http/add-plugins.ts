import type { OutgoingHttpHeaders } from 'node:http';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

import type { Config } from '../../config/config.js';

const PREFLIGHT_SECONDS = 600;

/** Security headers, and CORS if `CORS_ORIGINS` names origins (G-7). */
export async function addPlugins(fastify: FastifyInstance, config: Config): Promise<void> {
  const headers = securityHeaders();
  fastify.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
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

/** What helmet sets: the same for every answer, and dear to make anew for each. */
function securityHeaders(): OutgoingHttpHeaders {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const secure = helmet({
    // The page at /docs is served over plain http too, where browsers would then load its parts over https.
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
  });
  secure(response.req, response, (error) => {
    if (error !== undefined) throw new Error('the security headers could not be made', { cause: error });
  });
  return response.getHeaders();
}
