import type { RequestListener } from 'node:http';

import { FastifyAdapter } from '@nestjs/platform-fastify';

import type { Config } from '../../platform/config/config.js';
import { KIB } from '../../kernel/domain/bytes.js';
import { sendError } from '../errors/send-error.js';
import { correlationIdOf } from '../logging/correlation-id.js';
import type { Listeners } from './listeners.js';

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
