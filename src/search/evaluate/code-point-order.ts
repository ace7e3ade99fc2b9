/**
 * Whether `left` sorts before `right` or equals it, by code point: the order of `collate "C"` over UTF-8. JavaScript's
 * own order is by UTF-16 unit, which puts the code points from U+10000 on before some smaller ones.
 */
export function isAtMost(left: string, right: string): boolean {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at++) {
    const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (a !== b) return rank(a) < rank(b);
  }
  return left.length <= right.length;
}

/** Ranks surrogates after all other units. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
