import type { ApiResponseOptions } from '@nestjs/swagger';

/** A request target is a path or, from proxy clients, a URL (RFC 9112 3.2.2); an empty path is `/`. */
export function splitTarget(requestTarget: string): { readonly path: string; readonly query: string } {
  const target = requestTarget.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
  const at = target.indexOf('?');
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at) };
}

export const CORRELATION_ID = Symbol('CORRELATION_ID');

/** Undefined outside of any request (G-5). */
export type CorrelationId = () => string | undefined;

export const ETAG = {
  ETag: { description: 'For `If-None-Match`', schema: { type: 'string' } },
} as const satisfies ApiResponseOptions['headers'];

export const NOT_MODIFIED: ApiResponseOptions = {
  status: 304,
  description: 'What `If-None-Match` names is still right',
  headers: ETAG,
};

/** Weak comparison (RFC 9110 13.1.2). */
export const namesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);

/** The URL for links, and its query; without `publicUrl` a path, for gateways that do not rewrite paths. */
export function publicAddress(
  requestTarget: string,
  publicUrl: string | undefined,
): { readonly address: string; readonly parameters: URLSearchParams } {
  const { path, query } = splitTarget(requestTarget);
  // Also escapes characters that could end a link.
  const { pathname, searchParams } = new URL(`http://localhost${path}${query}`);
  return { address: `${(publicUrl ?? '').replace(/\/$/, '')}${pathname}`, parameters: searchParams };
}

/** `Link` header (RFC 8288) to the page after a cursor (S-15): the requested URL with the cursor replaced. */
export function nextLink(cursor: string, requestTarget: string, publicUrl: string | undefined): string {
  const { address, parameters } = publicAddress(requestTarget, publicUrl);
  parameters.set('cursor', cursor);
  return `<${address}?${parameters.toString()}>; rel="next"`;
}
