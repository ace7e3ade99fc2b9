import type { FastifyRequest } from 'fastify';

import type { Config } from '../config/config.js';

/**
 * The address under which the client reaches the service, without a trailing slash: `PUBLIC_URL`, or the requested one.
 */
export function publicAddress(request: FastifyRequest, config: Pick<Config, 'PUBLIC_URL'>): string {
  if (config.PUBLIC_URL !== undefined) return config.PUBLIC_URL.replace(/\/+$/, '');
  const asked = `${request.protocol}://${request.host}`;
  // The client controls the Host header, and may leave it out.
  return URL.canParse(asked) ? new URL(asked).origin : `${request.protocol}://localhost`;
}

/** The page that describes the service. */
export const documentationAt = (address: string): string => `${address}/docs`;
