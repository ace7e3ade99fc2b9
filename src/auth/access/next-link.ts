import { splitTarget } from './request-target.js';

/**
 * The address of a request as links contain it, and its query. `requestTarget` is the address as the client wrote it,
 * `publicUrl` the one under which clients reach the service. Without it the address is only the path, which is right
 * behind any gateway that does not rewrite paths.
 */
export function publicAddress(
  requestTarget: string,
  publicUrl: string | undefined,
): { readonly address: string; readonly parameters: URLSearchParams } {
  const { path, query } = splitTarget(requestTarget);
  // Also escapes everything that could end a link.
  const { pathname, searchParams } = new URL(`http://localhost${path}${query}`);
  return { address: `${(publicUrl ?? '').replace(/\/$/, '')}${pathname}`, parameters: searchParams };
}

/**
 * A `Link` header (RFC 8288) to the page after a cursor (S-15): the client repeats its request at this address, in which
 * the cursor replaces any other.
 */
export function nextLink(cursor: string, requestTarget: string, publicUrl: string | undefined): string {
  const { address, parameters } = publicAddress(requestTarget, publicUrl);
  parameters.set('cursor', cursor);
  return `<${address}?${parameters.toString()}>; rel="next"`;
}
