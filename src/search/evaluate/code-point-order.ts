/**
 * Whether `left` comes before `right` or is the same, by code point: the order of `collate "C"` over UTF-8. JavaScript's own
 * is by UTF-16 unit, in which the code points from U+10000 on stand before some that are smaller.
 */
export function isAtMost(left: string, right: string): boolean {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at++) {
    const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (a !== b) return rank(a) < rank(b);
  }
  return left.length <= right.length;
}

/** Surrogates behind all other units. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
