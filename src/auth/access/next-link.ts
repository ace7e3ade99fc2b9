import { splitTarget } from './request-target.js';

/**
 * The URL for links, and its query. `requestTarget` is as written by the client. Without `publicUrl`, a path, for
 * gateways that do not rewrite paths.
 */
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
