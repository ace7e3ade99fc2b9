import { DeletionIndex } from './deletion-index.js';

describe('a deletion index', () => {
  it('gives back memory of full lists while words are added', () => {
    const index = new DeletionIndex();
    const given: number[] = [];
    for (let number = 0, bytes = index.bytes; number < 1_000; number++) {
      index.add(`name${number}`);
      if (index.bytes < bytes) given.push(bytes - index.bytes);
      ({ bytes } = index);
    }
    // The first lists: 16,384 entries of four bytes that were linked.
    expect(given).toEqual([expect.closeTo(16_384 * 4, -3)]);
  });
});
