import fc from 'fast-check';

import { editsToNear } from '../../../../test/support/reference/near-words.js';
import { sieveOfUuidParts, uuidPartsNear } from './uuid-parts-near.js';

const aPart = fc
  .constantFrom(4, 8, 12)
  .chain((length) => fc.string({ unit: fc.constantFrom('0', '7', 'a', 'f'), minLength: length, maxLength: length }));

const aWord = fc.string({
  unit: fc.constantFrom('0', '7', 'a', 'f', 'x', '_', '%', '\u{20000}'),
  minLength: 1,
  maxLength: 14,
});

describe('the patterns of parts of UUIDs that are near a word', () => {
  it('match all that are near, by edits, and no other', () => {
    fc.assert(
      fc.property(aPart, aWord, fc.nat(), fc.nat(), (part, word, first, second) => {
        // Most of the words are one or two edits away from the part.
        const edited = word.length % 3 === 0 ? word : editedAt(editedAt(part, first), word.length % 2 ? first : second);
        const least = uuidPartsNear(edited).findIndex((patterns) => patterns.some((pattern) => isLike(part, pattern)));
        expect(least === -1 ? undefined : least).toEqual(editsToNear(edited, part));
      }),
      { numRuns: 2_000 },
    );
  });

  it('with the most edits match what is nearer too', () => {
    fc.assert(
      fc.property(aPart, fc.nat(), (part, at) => {
        const patterns = uuidPartsNear(at % 3 === 0 ? part : editedAt(part, at)).at(-1);
        expect(patterns?.some((pattern) => isLike(part, pattern))).toBe(true);
      }),
    );
  });

  it('are none for words of another length or of other letters', () => {
    for (const word of ['musonda', 'ab', '0123456789abcdef']) expect(uuidPartsNear(word)).toEqual([]);
  });

  it('are some hundred for any word', () => {
    expect(uuidPartsNear('abcdef123456').map(({ length }) => length)).toEqual([1, 23, 365]);
  });
});

describe('the sieve of parts of UUIDs', () => {
  it('lets through all that the patterns match', () => {
    fc.assert(
      fc.property(aPart, aWord, fc.nat(), fc.nat(), (part, word, first, second) => {
        const edited = word.length % 5 === 0 ? word : editedAt(editedAt(part, first), second);
        const isNear = uuidPartsNear(edited).some((patterns) => patterns.some((pattern) => isLike(part, pattern)));
        if (isNear) expect(isThrough(part, sieveOfUuidParts(edited))).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(['abcdef123456', 'fedcba98765', 'abcdef1234567', '12345678', '1234567', 'abcdef'])(
    'lets through whatever a pattern of %s matches',
    (word) => {
      for (const pattern of uuidPartsNear(word).flat()) {
        for (const letter of ['0', 'a', 'f']) {
          const part = pattern.replaceAll('_', letter);
          expect([part, isThrough(part, sieveOfUuidParts(word))]).toEqual([part, true]);
        }
      }
    },
  );

  it('lets through what has a piece alone', () => {
    expect(sieveOfUuidParts('abcdef123456')).toEqual([
      'abcd%',
      '%3456',
      '%ef12%',
      'abce%',
      '%df123456',
      'abcdef13%',
      '%2456',
    ]);
    expect(sieveOfUuidParts('xbcdef12345y')).toEqual(['%ef12%']);
  });

  it('is none for a word that is near few', () => {
    expect(sieveOfUuidParts('abcde')).toBeUndefined();
  });
});

const isThrough = (part: string, sieve: readonly string[] | undefined): boolean =>
  sieve?.some((pattern) => new RegExp(`^${pattern.replaceAll('%', '.*')}$`, 'u').test(part)) ?? true;

const isLike = (word: string, pattern: string): boolean =>
  word.length === pattern.length && Array.from(pattern).every((letter, at) => letter === '_' || letter === word[at]);

const editedAt = (word: string, at: number): string => {
  const place = at % word.length;
  const edits = [
    `${word.slice(0, place)}x${word.slice(place + 1)}`,
    `${word.slice(0, place)}${word.slice(place + 1)}`,
    `${word.slice(0, place)}z${word.slice(place)}`,
    `${word.slice(0, place)}${word
      .slice(place, place + 2)
      .split('')
      .reverse()
      .join('')}${word.slice(place + 2)}`,
  ];
  return edits[at % edits.length] ?? word;
};
