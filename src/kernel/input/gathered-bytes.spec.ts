import fc from 'fast-check';

import { GatheredBytes } from './gathered-bytes.js';

/** The pieces in one, and what it was made of is left alone. */
function gathered(pieces: readonly Buffer[]): GatheredBytes {
  const all = new GatheredBytes();
  const before = pieces.map((piece) => Buffer.from(piece));
  for (const piece of pieces) all.add(piece);
  expect(pieces).toEqual(before);
  return all;
}

describe('GatheredBytes', () => {
  it('are the pieces, one after the other', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 6_000 }), { maxLength: 12 }), (given) => {
        const pieces = given.map((piece) => Buffer.from(piece));
        const { bytes, length } = gathered(pieces);
        expect([bytes.equals(Buffer.concat(pieces)), length]).toEqual([true, Buffer.concat(pieces).length]);
      }),
    );
  });

  it('hold one piece as it came, and many in at most twice their length', () => {
    const only = Buffer.from('abc');
    expect(gathered([only]).bytes.buffer).toBe(only.buffer);
    const many = gathered(Array.from({ length: 100_000 }, (_, at) => Buffer.of(at)));
    expect(many.bytes.buffer.byteLength).toBeLessThan(200_000);
    expect([many.trimmed.buffer.byteLength, many.trimmed.equals(many.bytes)]).toEqual([100_000, true]);
  });

  it('hold no more than comes where that is known, and more where more comes', () => {
    const pieces = Array.from({ length: 70 }, (_, at) => Buffer.alloc(1_000, at));
    const all = new GatheredBytes(70_000);
    for (const piece of pieces) {
      all.add(piece);
      expect(all.bytes.buffer.byteLength).toBeLessThanOrEqual(70_000);
    }
    expect([all.trimmed.buffer, all.trimmed.buffer.byteLength]).toEqual([all.bytes.buffer, 70_000]);
    all.add(Buffer.of(1));
    expect([all.length, all.bytes.at(-1)]).toEqual([70_001, 1]);
  });
});
