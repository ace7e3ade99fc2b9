import type { FastifyRequest } from 'fastify';

import type { Config } from '../../platform/config/config.js';

/**
 * The address under which the client reaches the service, without a trailing slash: `PUBLIC_URL`, or the requested one.
 */
export function publicAddress(request: FastifyRequest, config: Pick<Config, 'PUBLIC_URL'>): string {
  if (config.PUBLIC_URL !== undefined) return issuerOf(config.PUBLIC_URL);
  const asked = `${request.protocol}://${request.host}`;
  // The client controls the Host header, and may leave it out.
  return URL.canParse(asked) ? new URL(asked).origin : `${request.protocol}://localhost`;
}

/** `PUBLIC_URL` as the name of this service in metadata (RFC 8414 2): without a trailing slash. */
export const issuerOf = (publicUrl: string): string => publicUrl.replace(/\/+$/, '');

/** The addresses of the token endpoint (G-1), the one that metadata names first. */
export const tokenEndpointsOf = (address: string): readonly [string, string] => [
  `${address}/auth/token`,
  `${address}/token`,
];

/** The page that describes the service. */
export const documentationAt = (address: string): string => `${address}/docs`;
