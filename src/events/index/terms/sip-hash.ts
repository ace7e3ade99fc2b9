/** 128 bits, as four little-endian words. */
export type SipKey = readonly [number, number, number, number];

/** 64 bits, as signed words. */
export interface Halves {
  high: number;
  low: number;
}

/** SipHash-2-4 (Aumasson and Bernstein, 2012) of the UTF-16LE bytes of a text, in arithmetic of 32 bits. */
export function sipHash([k0, k1, k2, k3]: SipKey, text: string, into: Halves): void {
  let [a, ah, b, bh] = [k0 ^ 0x70736575, k1 ^ 0x736f6d65, k2 ^ 0x6e646f6d, k3 ^ 0x646f7261];
  let [c, ch, d, dh] = [k0 ^ 0x6e657261, k1 ^ 0x6c796765, k2 ^ 0x79746573, k3 ^ 0x74656462];
  const { length } = text;
  const blocks = length >> 2;
  for (let block = 0; block <= blocks + 1; block++) {
    let [low, high, rounds] = [0, 0, 2];
    if (block <= blocks) {
      const at = block << 2;
      if (block < blocks) {
        low = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16);
        high = text.charCodeAt(at + 2) | (text.charCodeAt(at + 3) << 16);
      } else {
        // The rest, and the number of bytes in the highest one.
        if (at < length) low = text.charCodeAt(at);
        if (at + 1 < length) low |= text.charCodeAt(at + 1) << 16;
        high = ((length << 1) & 0xff) << 24;
        if (at + 2 < length) high |= text.charCodeAt(at + 2);
      }
      d ^= low;
      dh ^= high;
    } else {
      c ^= 0xff;
      rounds = 4;
    }
    for (let round = 0; round < rounds; round++) {
      let sum = (a + b) | 0;
      ah = (ah + bh + carry(sum, a)) | 0;
      a = sum;
      let turned = (b << 13) | (bh >>> 19);
      bh = ((bh << 13) | (b >>> 19)) ^ ah;
      b = turned ^ a;
      turned = a;
      a = ah;
      ah = turned;

      sum = (c + d) | 0;
      ch = (ch + dh + carry(sum, c)) | 0;
      c = sum;
      turned = (d << 16) | (dh >>> 16);
      dh = ((dh << 16) | (d >>> 16)) ^ ch;
      d = turned ^ c;

      sum = (a + d) | 0;
      ah = (ah + dh + carry(sum, a)) | 0;
      a = sum;
      turned = (d << 21) | (dh >>> 11);
      dh = ((dh << 21) | (d >>> 11)) ^ ah;
      d = turned ^ a;

      sum = (c + b) | 0;
      ch = (ch + bh + carry(sum, c)) | 0;
      c = sum;
      turned = (b << 17) | (bh >>> 15);
      bh = ((bh << 17) | (b >>> 15)) ^ ch;
      b = turned ^ c;
      turned = c;
      c = ch;
      ch = turned;
    }
    a ^= low;
    ah ^= high;
  }
  into.high = ah ^ bh ^ ch ^ dh;
  into.low = a ^ b ^ c ^ d;
}

/** 1 if adding to `before` gave the smaller `sum`. */
const carry = (sum: number, before: number): number => (sum >>> 0 < before >>> 0 ? 1 : 0);
