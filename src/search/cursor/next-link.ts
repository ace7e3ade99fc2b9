/**
 * A `Link` header (RFC 8288) to the page after a cursor (S-15): the client sends the same body to the address of this
 * request, with the cursor in its query string. `requestTarget` is the address as the client wrote it, `publicUrl` the
 * address under which clients reach the service; without it the link contains only the path, which is right behind any
 * gateway that does not rewrite paths.
 */
export function nextLink(cursor: string, requestTarget: string, publicUrl: string | undefined): string {
  // Also escapes everything that could end the link.
  const { pathname } = new URL(requestTarget, 'http://localhost');
  return `<${(publicUrl ?? '').replace(/\/$/, '')}${pathname}?cursor=${cursor}>; rel="next"`;
}
