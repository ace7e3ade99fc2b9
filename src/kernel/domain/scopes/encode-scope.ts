import { decodeScope } from './decode-scope.js';
import type { DecodedScope } from './scope.js';

/** As in release 2.0: `type=record.search&event=birth,death`; without options the type alone. */
export function encodeScope({ type, options: { flags, ...options } }: DecodedScope): string {
  const lists = Object.entries(flags ?? {}).map(([name, items]) => [`flags.${name}`, items] as const);
  const pairs = [...Object.entries(options), ...lists].map(([name, value]) => `${name}=${[value].flat().join(',')}`);
  return pairs.length === 0 ? type : [`type=${type}`, ...pairs].join('&');
}

/** Translates earlier scopes; other text is unchanged, even if not understood. */
export function scopeNow(text: string): string {
  const decoded = decodeScope(text);
  const isCurrent = decoded === undefined || text === decoded.type || text.split('&').includes(`type=${decoded.type}`);
  return isCurrent ? text : encodeScope(decoded);
}
