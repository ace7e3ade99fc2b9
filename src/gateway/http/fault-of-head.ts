import type { IncomingMessage } from 'node:http';

import { invalidInput } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { HEADER_TOO_LARGE, MOST_HEADERS } from './head-limits.js';

/** The fault of a head that Node has parsed, for any address. */
export const faultOfHead = (request: IncomingMessage): ServiceError | undefined =>
  countFault(request) ?? hostFault(request) ?? codingFault(request);

/** Whether there are more headers than Node shows: among the others may be a second `Host` or `Authorization`. */
function countFault({ rawHeaders }: IncomingMessage): ServiceError | undefined {
  if (rawHeaders.length < 2 * MOST_HEADERS) return undefined;
  return new ServiceError('BAD_REQUEST', HEADER_TOO_LARGE, { headers: CLOSING });
}

/** HTTP/1.1 needs one `Host`, no request may have two, and it is a host with or without a port (RFC 9112 3.2, G-11). */
function hostFault({ rawHeaders, httpVersion }: IncomingMessage): ServiceError | undefined {
  const [at, ...others] = rawHeaders.flatMap((name, nth) =>
    nth % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host' ? [nth] : [],
  );
  if (at === undefined) return httpVersion === '1.1' ? ambiguous('host: must be given') : undefined;
  if (others.length > 0) return ambiguous('host: is given more than once');
  return HOST.test(rawHeaders[at + 1] ?? '') ? undefined : ambiguous('host: must be a host, and a port if any');
}

/** `uri-host [":" port]` of RFC 9110 7.2, with the addresses in brackets not looked at closer. */
const HOST = /^(?:\[[\da-z.:~!$&'()*+,;=_%-]*\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/**
 * Codings other than chunks are not decoded. HTTP/1.0 has none: a proxy may have taken the body for the next request
 * (RFC 9112 6.1).
 */
function codingFault({
  headers: { 'transfer-encoding': given },
  httpVersion,
}: IncomingMessage): ServiceError | undefined {
  if (given === undefined) return undefined;
  if (httpVersion === '1.0') return ambiguous('transfer-encoding: must not be given in HTTP/1.0');
  return given.toLowerCase() === 'chunked' ? undefined : ambiguous('transfer-encoding: must be chunked');
}

/** Its sender, or somebody in between, may see a different request in it: nothing more is read from the connection. */
const ambiguous = (message: string): ServiceError => invalidInput(message, { headers: CLOSING });

const CLOSING = { connection: 'close' };
