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
