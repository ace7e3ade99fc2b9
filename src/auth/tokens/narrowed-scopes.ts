import { decodeScope } from '../../kernel/domain/scopes/decode-scope.js';
import { LONGEST_SCOPES, MOST_SCOPES } from '../../kernel/domain/scopes/scope-bounds.js';

/** Other spellings may be longer than those that were registered. */
const LONGEST_ASKED = 2 * LONGEST_SCOPES;

/**
 * Those of a client's scopes that a `scope` parameter requests (A-12, RFC 6749 3.3), in the client's own spelling and
 * order; undefined if it requests one that the client does not hold, or none at all, or more than a client can hold.
 */
export function narrowedScopes(held: readonly string[], asked: string): readonly string[] | undefined {
  if (asked.length > LONGEST_ASKED) return undefined;
  const texts = new Set(asked.split(' ').filter((scope) => scope !== ''));
  if (texts.size > MOST_SCOPES) return undefined;
  const wanted = new Set([...texts].map(meaningOf));
  const granted = held.filter((scope) => wanted.has(meaningOf(scope)));
  const isHeld = new Set(granted.map(meaningOf)).size === wanted.size;
  return isHeld && granted.length > 0 ? granted : undefined;
}

/** Equal for all spellings of a scope; one that does not decode equals only itself. */
function meaningOf(scope: string): string {
  const decoded = decodeScope(scope);
  return decoded === undefined ? scope : JSON.stringify([decoded.type, ordered(decoded.options)]);
}

/** Puts options, and the items of their lists, in a fixed order: theirs has no meaning. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set<unknown>(value)].sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, ordered(member)]);
}
