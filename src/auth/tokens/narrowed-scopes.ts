import { decodeScope } from '../../kernel/domain/scopes/decode-scope.js';
import { LONGEST_SCOPES, MOST_SCOPES } from '../../kernel/domain/scopes/scope-bounds.js';

/** Other spellings may be longer than the registered ones. */
const LONGEST_ASKED = 2 * LONGEST_SCOPES;

/**
 * The client's scopes requested by `scope` (A-12, RFC 6749 3.3), in registered spelling and order. Undefined for scopes
 * not held, none, or too many.
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

/** Equal for all spellings of a scope; an undecodable one equals only itself. */
function meaningOf(scope: string): string {
  const decoded = decodeScope(scope);
  return decoded === undefined ? scope : JSON.stringify([decoded.type, ordered(decoded.options)]);
}

/** Sorts options and their lists, whose order has no meaning. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set<unknown>(value)].sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, ordered(member)]);
}
