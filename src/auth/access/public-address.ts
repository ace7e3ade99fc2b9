import type { FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config/config.js';

/** `PUBLIC_URL` or the requested origin, without a trailing slash. */
export function publicAddress(request: FastifyRequest, config: Pick<Config, 'PUBLIC_URL'>): string {
  if (config.PUBLIC_URL !== undefined) return issuerOf(config.PUBLIC_URL);
  const asked = `${request.protocol}://${request.host}`;
  // The client controls the Host header, and may omit it.
  return URL.canParse(asked) ? new URL(asked).origin : `${request.protocol}://localhost`;
}

/** Issuer (RFC 8414 2): `PUBLIC_URL` without a trailing slash. */
export const issuerOf = (publicUrl: string): string => publicUrl.replace(/\/+$/, '');

/** Token endpoint URLs (G-1); metadata names the first. */
export const tokenEndpointsOf = (address: string): readonly [string, string] => [
  `${address}/auth/token`,
  `${address}/token`,
];

export const documentationAt = (address: string): string => `${address}/docs`;
