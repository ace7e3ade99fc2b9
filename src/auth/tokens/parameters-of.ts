import type { FastifyRequest } from 'fastify';

import { TokenParameters } from './token-parameters.js';

/** The parameters of a request to an OAuth endpoint. */
export function parametersOf(request: FastifyRequest): TokenParameters {
  const at = request.url.indexOf('?');
  return new TokenParameters({
    query: new URLSearchParams(at < 0 ? '' : request.url.slice(at)),
    body: request.body,
    // `headers` has the first one alone.
    authorizations: request.raw.headersDistinct['authorization'] ?? [],
  });
}
