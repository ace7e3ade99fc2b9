import fc from 'fast-check';

import { editsToNear } from '../../../../test/support/reference/near-words.js';
import { keysOfSearched, keysOfStored } from './near-words.js';

describe('the keys of a word', () => {
  it('are at most 29, and the same in every process: they are stored', () => {
    expect([keysOfStored('musonda').length, keysOfStored('chukwuemeka').length]).toEqual([29, 29]);
    expect(keysOfStored('ab')).toEqual([-475892421, 162639803, -900960987]);
  });

  it('are shared by each pair of near words (S-11)', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\u{20000}'), minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 20 }), (searched, words) => {
        const keys = new Set(keysOfSearched(searched));
        for (const other of words.filter((near) => editsToNear(searched, near) !== undefined)) {
          expect(keysOfStored(other).some((key) => keys.has(key))).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
