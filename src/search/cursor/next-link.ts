/**
 * A `Link` header (RFC 8288) to the page after a cursor (S-15): the same body goes to the address that was asked, with the
 * cursor in its query string. `requestTarget` is the address as the client wrote it, `publicUrl` where clients reach the
 * service; without it the link has the path alone, which is right behind any gateway that does not rewrite paths.
 */
export function nextLink(cursor: string, requestTarget: string, publicUrl: string | undefined): string {
  // Also escapes whatever could end the link.
  const { pathname } = new URL(requestTarget, 'http://localhost');
  return `<${(publicUrl ?? '').replace(/\/$/, '')}${pathname}?cursor=${cursor}>; rel="next"`;
}
