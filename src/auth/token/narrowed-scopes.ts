import { decodeScope } from '../../domain/decode-scope.js';

/**
 * Those of a client's scopes that a `scope` parameter asks for (A-12, RFC 6749 3.3), in the client's own spelling and
 * order; undefined when it asks for one that the client does not hold, or for none at all.
 */
export function narrowedScopes(held: readonly string[], asked: string): readonly string[] | undefined {
  const wanted = new Set(
    asked
      .split(' ')
      .filter((scope) => scope !== '')
      .map(meaningOf),
  );
  const granted = held.filter((scope) => wanted.has(meaningOf(scope)));
  const isHeld = new Set(granted.map(meaningOf)).size === wanted.size;
  return isHeld && granted.length > 0 ? granted : undefined;
}

/** The same text for every spelling of a scope; one that does not decode means itself alone. */
function meaningOf(scope: string): string {
  const decoded = decodeScope(scope);
  return decoded === undefined ? scope : JSON.stringify([decoded.type, ordered(decoded.options)]);
}

/** Options, and the items of their lists, in an order of their own: neither says anything. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set<unknown>(value)].sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, ordered(member)]);
}
