import { HashedPrefix } from '../terms/term-hash.js';
import { EVERY_TERM } from './bitmap.js';
import { UPDATE_SLICES } from './update-period.js';

const NOT_OF_TERMS = [EVERY_TERM, ...UPDATE_SLICES];

describe('what stands for something else than a term among bitmaps', () => {
  it.each(NOT_OF_TERMS)('is the hash of no text: %p', (hash) => {
    const kind = Number(hash & 1n) as 0 | 1;
    const made = prefixBefore(hash).hash('', kind);
    expect(NOT_OF_TERMS).not.toContain(made);
    expect([made & 1n, BigInt.asIntN(64, made)]).toEqual([BigInt(kind), made]);
  });
});

/** A prefix in the state in which somebody who looks for this hash, from its end to the beginning, would bring one. */
function prefixBefore(hash: bigint): HashedPrefix {
  const [high, low] = [Number(BigInt.asIntN(32, hash >> 32n)), Number(BigInt.asIntN(32, hash))];
  const a = unscattered(high) - low;
  const found = new HashedPrefix('x');
  return Object.assign(found, { a: unscattered(a) ^ found.text.length, b: (unscattered(low) - a) ^ found.text.length });
}

/** The lane that is scattered to this one. */
function unscattered(lane: number): number {
  let bits = lane ^ (lane >>> 16);
  bits = Math.imul(bits, inverse(0xc2b2ae35));
  bits ^= (bits >>> 13) ^ (bits >>> 26);
  bits = Math.imul(bits, inverse(0x85ebca6b));
  return bits ^ (bits >>> 16);
}

/** What undoes a multiplication by an odd number, by Newton's method. */
function inverse(factor: number): number {
  let found = factor;
  for (let step = 0; step < 5; step++) found = Math.imul(found, 2 - Math.imul(factor, found));
  return found;
}
