import fc from 'fast-check';

import { editsToNear } from '../../../../test/support/reference/near-words.js';
import { DATA, fieldOf, memberOf } from '../values/data-path.js';
import { FuzzyDictionary } from './fuzzy-dictionary.js';

const NAME = memberOf(DATA, 'name');
const OTHER = memberOf(DATA, 'other');
const MEMBER = memberOf(NAME, 'firstname');

function aDictionary(words: readonly (readonly [pathId: number, word: string])[]): FuzzyDictionary {
  const dictionary = new FuzzyDictionary();
  dictionary.addPath(1, { path: NAME, isField: true });
  dictionary.addPath(2, { path: OTHER, isField: true });
  dictionary.addPath(3, { path: MEMBER, isField: false });
  for (const [pathId, word] of words) dictionary.add(pathId, word);
  return dictionary;
}

const byWord = (left: { word: string; path?: string }, right: { word: string; path?: string }): number =>
  `${left.word} ${left.path}` < `${right.word} ${right.path}` ? -1 : 1;

/**
 * Words so similar that many are near one another: of a language, of two scripts, numbers, e-mail addresses, long ones.
 */
const aWord = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 10 }),
  fc.string({ unit: fc.constantFrom('ж', 'з', '\u{20000}', '7'), minLength: 1, maxLength: 8 }),
  fc.string({ unit: fc.constantFrom('1', '2', 'a'), minLength: 1, maxLength: 9 }),
  fc.string({ unit: fc.constantFrom('a', '1'), minLength: 1, maxLength: 3 }).map((name) => `${name}@x.y`),
  fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 3 }).map((end) => 'long'.repeat(9) + end),
);

describe('a dictionary', () => {
  it('finds every word that is near, with its edits, and no other', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(1, 2, 3), aWord), { minLength: 20, maxLength: 80 }),
        fc.array(aWord, { minLength: 5, maxLength: 5 }),
        (words, searches) => {
          const dictionary = aDictionary(words);
          for (const searched of searches) {
            const near = (pathId: number) =>
              [...new Set(words.flatMap(([id, word]) => (id === pathId ? [word] : [])))]
                .map((word) => ({ word, edits: editsToNear(searched, word) }))
                .filter(({ edits }) => edits !== undefined)
                .sort(byWord);
            expect([NAME, OTHER, MEMBER].map((path) => dictionary.at(path, searched).toSorted(byWord))).toEqual(
              [1, 2, 3].map(near),
            );
            const { words: each, byField } = dictionary.inEachField(searched);
            expect([NAME, OTHER].map((path) => (byField?.get(path) ?? []).toSorted(byWord))).toEqual([1, 2].map(near));
            expect(each.toSorted(byWord)).toEqual(
              [...new Map([...near(1), ...near(2)].map((found) => [found.word, found])).values()].sort(byWord),
            );
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('finds numbers and addresses among thousands, however they were added', () => {
    const numbers = Array.from({ length: 3_000 }, (_, at) => String(1_000_000 + ((at * 7919) % 4_001) * 13));
    const dictionary = aDictionary(numbers.map((word) => [1, word]));
    for (const searched of [numbers[0], numbers[1_500], numbers[2_999], '1000031', '100003', 'x100013']) {
      const expected = numbers
        .map((word) => ({ word, edits: editsToNear(searched ?? '', word) }))
        .filter(({ edits }) => edits !== undefined);
      expect(dictionary.at(NAME, searched ?? '').toSorted(byWord)).toEqual(expected.sort(byWord));
    }
  });

  it('finds numbers at many paths, few or many at each, where they stand', () => {
    const paths = Array.from({ length: 600 }, (_, at) => fieldOf(`made up ${at}`));
    const isField = (at: number): boolean => at % 3 > 0;
    const dictionary = new FuzzyDictionary();
    const words = paths.flatMap((_, at) =>
      Array.from({ length: at % 40 }, (__, number) => ({ at, word: String(1_000 + ((at * 31 + number * 7) % 900)) })),
    );
    paths.forEach((path, at) => {
      dictionary.addPath(at, { path, isField: isField(at) });
    });
    for (const { at, word } of words) dictionary.add(at, word);
    for (const searched of ['1234', '1894', '999']) {
      const edits = new Map(
        [...new Set(words.map(({ word }) => word))].map((word) => [word, editsToNear(searched, word)]),
      );
      const near = words.filter(({ word }) => edits.get(word) !== undefined);
      const eachOnce = (found: typeof near) =>
        [...new Set(found.map(({ word }) => word))].map((word) => ({ word, edits: edits.get(word) })).sort(byWord);
      for (const [at, path] of [...paths.entries()].slice(200, 280)) {
        expect(dictionary.at(path, searched).toSorted(byWord)).toEqual(eachOnce(near.filter((one) => one.at === at)));
      }
      const inFields = near.filter(({ at }) => isField(at));
      const { words: found, byField } = dictionary.inEachField(searched);
      expect(found.toSorted(byWord)).toEqual(eachOnce(inFields));
      expect(new Set(byField?.keys())).toEqual(new Set(inFields.map(({ at }) => paths[at])));
    }
  });

  it('finds words across all of its posting lists', () => {
    const words = Array.from({ length: 3_000 }, (_, at) =>
      Array.from(
        String(at).padStart(4, '0'),
        (digit) => 'bcdfghjklm'.charAt(Number(digit)) + 'aeiou'.charAt(at % 5),
      ).join(''),
    );
    const dictionary = aDictionary(words.map((word) => [1, word]));
    for (const searched of [words[0], words[1_234], words[2_999]]) {
      const expected = words
        .map((word) => ({ word, edits: editsToNear(searched ?? '', word) }))
        .filter(({ edits }) => edits !== undefined);
      expect(dictionary.at(NAME, searched ?? '').toSorted(byWord)).toEqual(expected.sort(byWord));
    }
  });

  it('knows nothing of a path that no record has', () => {
    expect(aDictionary([[1, 'ama']]).at(memberOf(DATA, 'unheard'), 'ama')).toEqual([]);
  });
});
