/** A request target is a path or, from proxy clients, a URL (RFC 9112 3.2.2); an empty path is `/`. */
export function splitTarget(requestTarget: string): { readonly path: string; readonly query: string } {
  const target = requestTarget.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
  const at = target.indexOf('?');
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at) };
}
