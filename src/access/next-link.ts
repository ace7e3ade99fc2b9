import { splitTarget } from './request-target.js';

/**
 * A `Link` header (RFC 8288) to the page after a cursor (S-15): the client repeats its request at this address.
 * `requestTarget` is the address as the client wrote it, with its query string, in which the cursor replaces any other;
 * `publicUrl` the address under which clients reach the service. Without it the link contains only the path, which is
 * right behind any gateway that does not rewrite paths.
 */
export function nextLink(cursor: string, requestTarget: string, publicUrl: string | undefined): string {
  const { path, query } = splitTarget(requestTarget);
  // Also escapes everything that could end the link.
  const { pathname, searchParams } = new URL(`http://localhost${path}${query}`);
  searchParams.set('cursor', cursor);
  return `<${(publicUrl ?? '').replace(/\/$/, '')}${pathname}?${searchParams.toString()}>; rel="next"`;
}
