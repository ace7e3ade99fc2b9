import type { OutgoingHttpHeaders } from 'node:http';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { fastify as createFastify } from 'fastify';

import type { Config } from '../../config/config.js';

const PREFLIGHT_SECONDS = 600;

/** Security headers, and CORS where `CORS_ORIGINS` names origins (G-7). */
export async function addPlugins(fastify: FastifyInstance, config: Config): Promise<void> {
  const headers = await securityHeaders();
  fastify.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
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

/** What helmet sets. It is the same for every answer and takes a while to make, so helmet is asked for it once. */
async function securityHeaders(): Promise<OutgoingHttpHeaders> {
  const probe = createFastify();
  await probe.register(helmet, {
    // The page at /docs is served over plain http as well, where browsers would look for its parts under https.
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
  });
  const headers = new Promise<OutgoingHttpHeaders>((found) => {
    probe.get('/', (_request, reply) => {
      reply.hijack();
      found(reply.raw.getHeaders());
    });
  });
  await probe.ready();
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/' });
  probe.routing(request, new ServerResponse(request));
  return headers;
}
