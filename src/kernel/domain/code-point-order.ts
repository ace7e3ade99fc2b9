/**
 * Compares by code point, as PostgreSQL's `collate "C"` in UTF-8. JavaScript compares UTF-16 units, which differs from
 * U+10000 on.
 */
export function byCodePoint(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at++) {
    const [one, other] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (one !== other) return rankOf(one) - rankOf(other);
  }
  return left.length - right.length;
}

/** Surrogates come after all other units. */
const rankOf = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
