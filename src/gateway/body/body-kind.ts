import type { IncomingHttpHeaders } from 'node:http';
import { type BodyKind, type BodyRule, NDJSON_TYPES } from '../../platform/openapi/accepts.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { ERROR_MESSAGES } from '../errors/error-messages.js';
import { parseMediaType, PLAIN_JSON } from '../http/media-type.js';

const MEDIA_TYPES: Readonly<Record<BodyKind, readonly [string, ...string[]]>> = {
  json: [PLAIN_JSON],
  form: ['application/x-www-form-urlencoded'],
  'ndjson-stream': NDJSON_TYPES,
  'multipart-stream': ['multipart/form-data'],
};

/** Whether a request announces a body. RFC 9112 6.3. */
export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * How to read the body of a request. Without a `Content-Type` it is JSON if the route accepts that. Throws 415 for a
 * media type or content coding that the route does not accept (G-6).
 */
export function bodyKindOf(headers: IncomingHttpHeaders, { kinds }: BodyRule): BodyKind {
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') {
    throw unsupported('must come without a content coding', { 'accept-encoding': 'identity' });
  }
  const header = headers['content-type'];
  const kind = header === undefined ? defaultKind(kinds) : kindOfHeader(header, kinds);
  if (kind === undefined) {
    throw unsupported(`must be ${kinds.map((each) => MEDIA_TYPES[each][0]).join(' or ')}, in UTF-8`);
  }
  return kind;
}

const defaultKind = (kinds: readonly BodyKind[]): BodyKind | undefined => (kinds.includes('json') ? 'json' : kinds[0]);

function kindOfHeader(header: string, kinds: readonly BodyKind[]): BodyKind | undefined {
  if (header === PLAIN_JSON && kinds.includes('json')) return 'json';
  const type = parseMediaType(header);
  return type === undefined ? undefined : kinds.find((kind) => MEDIA_TYPES[kind].includes(type));
}

const unsupported = (issue: string, headers: Readonly<Record<string, string>> = {}): ServiceError =>
  new ServiceError('UNSUPPORTED_MEDIA_TYPE', ERROR_MESSAGES.UNSUPPORTED_MEDIA_TYPE, {
    issues: [{ message: `body: ${issue}` }],
    headers,
  });
