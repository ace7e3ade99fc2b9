import type { FastifyRequest } from 'fastify';

import { TokenParameters } from './token-parameters.js';

export function parametersOf(request: FastifyRequest): TokenParameters {
  const at = request.url.indexOf('?');
  return new TokenParameters({
    query: new URLSearchParams(at < 0 ? '' : request.url.slice(at)),
    body: request.body,
    // `headers` contains only the first one.
    authorizations: request.raw.headersDistinct['authorization'] ?? [],
  });
}
