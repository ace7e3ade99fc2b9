import type { FastifyRequest } from 'fastify';

import type { Config } from '../config/config.js';

/** The address under which the client reaches the service, without a slash at its end: `PUBLIC_URL`, or the one asked. */
export function publicAddress(request: FastifyRequest, config: Pick<Config, 'PUBLIC_URL'>): string {
  const asked = `${request.protocol}://${request.host}`;
  const url = config.PUBLIC_URL ?? (URL.canParse(asked) ? asked : `${request.protocol}://localhost`);
  return url.replace(/\/+$/, '');
}

/** The page that describes the service. */
export const documentationAt = (address: string): string => `${address}/docs`;
