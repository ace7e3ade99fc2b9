import type { IncomingMessage } from 'node:http';
import { KIB } from '../../kernel/domain/bytes.js';
import { invalidInput } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';

/** Room for a token, and for a token request with its parameters in the URL. */
export const MAX_HEADER_BYTES = 64 * KIB;

/**
 * At this number or more, Node 20 drops the last header from each of its views at another place; later releases refuse
 * the request.
 */
export const MOST_HEADERS = 1_000;

/** The answer past either limit, with 400. */
export const HEADER_TOO_LARGE = `The header of the request is too large: it may have ${MAX_HEADER_BYTES} bytes, in fewer than ${MOST_HEADERS} fields`;

/** The `Content-Type` of nearly all bodies, which need not be parsed. */
export const PLAIN_JSON = 'application/json';

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * The media type in a `Content-Type` (RFC 9110 8.3.1), in lower case and without its parameters; undefined if the
 * header holds none. A `charset` means nothing in the types that are taken (G-6).
 */
export function parseMediaType(header: string): string | undefined {
  const essence = header.split(';', 1)[0]?.trim() ?? '';
  const [type = '', subtype = '', ...rest] = essence.split('/');
  return rest.length > 0 || !TOKEN.test(type) || !TOKEN.test(subtype) ? undefined : essence.toLowerCase();
}

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
