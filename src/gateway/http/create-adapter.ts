import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { KIB } from '../../kernel/domain/bytes.js';
import type { Config } from '../../platform/config/config.js';
import { toErrorAnswer } from '../errors/error-answer.js';
import { faultOfHead } from './fault-of-head.js';
import type { Listeners } from './listeners.js';

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

/** Errors outside Nest, as in G-4: of Fastify, or plugins. */
function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = toErrorAnswer(error);
  void reply.status(status).headers(headers).header('x-correlation-id', request.id).send(body);
}

/** Safe in log lines, answers and headers of other systems. */
const SAFE = /^[\w.:/+=@-]{1,128}$/;

/** W3C Trace Context, traceparent: version, trace id, parent id and flags; later versions may append more. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;

/**
 * The id of a request everywhere (G-5): its own `x-correlation-id`, the trace id of its `traceparent`, or a new one. A
 * value that is not safe to repeat counts as absent.
 */
export function correlationIdOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  newId: () => string = randomUUID,
): string {
  const given = headers['x-correlation-id'];
  if (typeof given === 'string' && SAFE.test(given)) return given;
  return traceIdOf(headers.traceparent) ?? newId();
}

function traceIdOf(traceparent: string | string[] | undefined): string | undefined {
  if (typeof traceparent !== 'string') return undefined;
  // Version 00 ends with its flags.
  if (traceparent.startsWith('00-') && traceparent.length !== 55) return undefined;
  return TRACEPARENT.exec(traceparent)?.[1];
}

/** Anything too long for an id is not found by its route, rather than refused by the router. */
const MOST_PARAMETER_CHARACTERS = 64 * KIB;

/** The one Fastify application behind both listeners (P-4). It knows addresses as `resolveAddress` writes them. */
export const createAdapter = (config: Config, listeners: Listeners): FastifyAdapter =>
  new FastifyAdapter({
    serverFactory: (handler: RequestListener) => listeners.create(handler),
    rewriteUrl: listeners.addressOf,
    genReqId: correlationIdOf,
    trustProxy: config.TRUSTED_PROXIES.length > 0 && [...config.TRUSTED_PROXIES],
    routerOptions: { maxParamLength: MOST_PARAMETER_CHARACTERS },
    // The listeners answer what is not HTTP, on both ports.
    clientErrorHandler: () => undefined,
    frameworkErrors: sendError,
    logger: false,
    // No Nest middleware is used.
    skipMiddie: true,
  });
