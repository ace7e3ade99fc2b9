import type { IncomingMessage } from 'node:http';

import { INVALID_INPUT } from '../../errors/faults.js';
import { ServiceError } from '../../errors/service-error.js';

/** What is wrong with the `Host` of a request: HTTP/1.1 needs one, and no request may have two (RFC 9112 3.2, G-11). */
export function hostFault({ rawHeaders, httpVersion }: IncomingMessage): ServiceError | undefined {
  const given = rawHeaders.filter((name, at) => at % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host');
  if (given.length === 1 || (given.length === 0 && httpVersion !== '1.1')) return undefined;
  return new ServiceError('BAD_REQUEST', INVALID_INPUT, {
    issues: [{ message: `host: ${given.length === 0 ? 'must be given' : 'is given more than once'}` }],
    // Whoever sends it, or stands between, may see another request in it than we do.
    headers: { connection: 'close' },
  });
}
