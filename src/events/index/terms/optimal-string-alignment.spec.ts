import fc from 'fast-check';

import { editsBetween } from '../../../../test/support/reference/near-words.js';
import { Alignment, allowedEdits, codePointsOf } from './optimal-string-alignment.js';

const edits = (searched: string, word: string, most = 2): number =>
  new Alignment(codePointsOf(searched), most).editsToWord(word);

describe('the edits between two words', () => {
  it.each([
    ['musonda', 'musonda', 0],
    ['musonda', 'musunda', 1],
    ['musonda', 'mussonda', 1],
    ['musonda', 'musnda', 1],
    ['musonda', 'muosnda', 1],
    ['musonda', 'umosnda', 2],
    ['musonda', 'musnoa', 2],
    ['musonda', 'mubanda', 2],
    ['musonda', 'banda', 3],
    // A transposed part is not edited again: this takes three edits, and not the two of the unrestricted distance.
    ['ca', 'abc', 3],
    // One code point each, two UTF-16 units.
    ['\u{20000}\u{20001}x', '\u{20001}\u{20000}x', 1],
    ['\u{20000}bc', '\u{20003}bc', 1],
  ])('from %s to %s are %i', (searched, word, expected) => {
    expect(edits(searched, word)).toBe(expected);
  });

  it('are those of the definition, up to the most that count', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\u{20000}'), maxLength: 9 });
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 20 }), fc.constantFrom(0, 1, 2), (searched, words, most) => {
        const alignment = new Alignment(codePointsOf(searched), most);
        for (const other of words) {
          const found = alignment.editsToWord(other);
          expect(Math.min(found, most + 1)).toBe(Math.min(editsBetween(searched, other), most + 1));
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('how many edits are allowed', () => {
  it('goes by the length of the searched word (S-11)', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 256].map(allowedEdits)).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2]);
  });
});
