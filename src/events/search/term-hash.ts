const lanes = new DataView(new ArrayBuffer(8));

/**
 * A 64-bit hash of `text`, as Postgres' bigint has it: two 32-bit lanes over the UTF-16 code units, mixed at the end.
 * Stored terms are made of it, so that it must never change; nothing may rest on two texts having different hashes.
 */
export function termHash(text: string): bigint {
  let a = 0x9e3779b9 ^ text.length;
  let b = 0x85ebca6b ^ text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 0x9e3779b1);
    a = (a << 13) | (a >>> 19);
    b = Math.imul(b ^ unit, 0x85ebca77);
    b = (b << 17) | (b >>> 15);
  }
  a = scatter(a);
  b = scatter(b + a);
  a = scatter(a + b);
  lanes.setInt32(0, a);
  lanes.setInt32(4, b);
  return lanes.getBigInt64(0);
}

/** Lets every bit of a lane bear on every other. */
function scatter(lane: number): number {
  let bits = lane ^ (lane >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
