/**
 * A request target is a path, or a whole URL if the client treats us as a proxy (RFC 9112 3.2.2), whichever host; the
 * path of one that has none is `/`.
 */
export function splitTarget(requestTarget: string): { readonly path: string; readonly query: string } {
  const target = requestTarget.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
  const at = target.indexOf('?');
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at) };
}
