import fc from 'fast-check';

import { editsToNear } from '../../../test/support/reference/near-words.js';
import { uuidWordsNear } from './uuid-words-near.js';

const aPart = fc
  .constantFrom(4, 8, 12)
  .chain((length) => fc.string({ unit: fc.constantFrom('0', '7', 'a', 'f'), minLength: length, maxLength: length }));

const aWord = fc.string({ unit: fc.constantFrom('0', '7', 'a', 'f', 'x', '\u{20000}'), minLength: 1, maxLength: 14 });

describe('the parts of UUIDs that are near a word', () => {
  it('are all that there can be', () => {
    fc.assert(
      fc.property(aPart, aWord, fc.nat(), fc.nat(), (part, word, first, second) => {
        // Most of the words are one or two edits away from the part.
        const edited = word.length % 3 === 0 ? word : editedAt(editedAt(part, first), word.length % 2 ? first : second);
        const edits = editsToNear(edited, part);
        const found = uuidWordsNear(edited).find((near) => near.word === part);
        expect(found).toEqual(edits === undefined ? undefined : { word: part, edits });
      }),
      { numRuns: 30 },
    );
  });

  it('are none for words of another length or of other letters', () => {
    expect(uuidWordsNear('musonda')).toEqual([]);
    expect(uuidWordsNear('ab')).toEqual([]);
    expect(uuidWordsNear('0123456789abcdef')).toEqual([]);
  });
});

const editedAt = (word: string, at: number): string => {
  const place = at % word.length;
  const edits = [
    `${word.slice(0, place)}x${word.slice(place + 1)}`,
    `${word.slice(0, place)}${word.slice(place + 1)}`,
    `${word.slice(0, place)}z${word.slice(place)}`,
  ];
  return edits[at % edits.length] ?? word;
};
