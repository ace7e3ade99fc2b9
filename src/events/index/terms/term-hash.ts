const lanes = new DataView(new ArrayBuffer(8));

/**
 * 64-bit hashes, like bigint in Postgres: two 32-bit lanes over the UTF-16 code units, mixed at the end. Stored, so
 * they must never change. The lowest bit is the kind, so kinds never collide. 0 and -256 to -1 are reserved for bitmaps
 * of other things.
 */
export class HashedPrefix {
  private readonly a: number;
  private readonly b: number;

  constructor(readonly text: string) {
    let [a, b] = [0x9e3779b9 | 0, 0x85ebca6b | 0];
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      a = Math.imul(a ^ unit, 0x9e3779b1);
      a = (a << 13) | (a >>> 19);
      b = Math.imul(b ^ unit, 0x85ebca77);
      b = (b << 17) | (b >>> 15);
    }
    [this.a, this.b] = [a, b];
  }

  hash(rest: string, kind: 0 | 1): bigint {
    let { a, b } = this;
    for (let at = 0; at < rest.length; at++) {
      const unit = rest.charCodeAt(at);
      a = Math.imul(a ^ unit, 0x9e3779b1);
      a = (a << 13) | (a >>> 19);
      b = Math.imul(b ^ unit, 0x85ebca77);
      b = (b << 17) | (b >>> 15);
    }
    const length = this.text.length + rest.length;
    a = scatter(a ^ length);
    b = scatter((b ^ length) + a);
    a = scatter(a + b);
    b = (b & ~1) | kind;
    lanes.setInt32(0, isReserved(a, b) ? INSTEAD : a);
    lanes.setInt32(4, b);
    return lanes.getBigInt64(0);
  }
}

/** Replaces the first lane of a reserved hash. */
const INSTEAD = 1;

/** 0, or from -256 to -1. */
const isReserved = (a: number, b: number): boolean => (a === 0 && b === 0) || (a === -1 && b < 0 && b >= -256);

/** Kind 1: numerous, and so mostly rare. */
export const isUncountable = (hash: bigint): boolean => (hash & 1n) === 1n;

/** Makes every bit of a lane affect every other. */
function scatter(lane: number): number {
  let bits = lane ^ (lane >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
