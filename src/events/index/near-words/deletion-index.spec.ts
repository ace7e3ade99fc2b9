import { DeletionIndex } from './deletion-index.js';
import { Alignment, codePointsOf } from './optimal-string-alignment.js';

/** Different words with these letters at their beginning, or at their end. */
const wordsWith = (letters: string, where: 'first' | 'last', count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => {
    const others = Array.from(String(at).padStart(4, '0'), (digit) => 'bcdfghjklm'.charAt(Number(digit))).join('');
    return where === 'first' ? letters + others : others + letters;
  });

function indexOf(words: readonly string[]): DeletionIndex {
  const index = new DeletionIndex();
  for (const word of words) index.add(word);
  return index;
}

/** The processor time of adding the words, in microseconds: the least of three times. */
function timeOfAdding(words: readonly string[]): number {
  return Math.min(
    ...Array.from({ length: 3 }, () => {
      const before = process.cpuUsage();
      indexOf(words);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    }),
  );
}

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

  it('takes words that all begin alike in about the time of others', () => {
    // Compared with each of those before, they took a hundred times as long.
    expect(
      timeOfAdding(wordsWith('prefixs', 'first', 4_000)) / timeOfAdding(wordsWith('suffixs', 'last', 4_000)),
    ).toBeLessThan(8);
  });

  it('compares few words in a step, however many begin alike', () => {
    const index = indexOf(wordsWith('prefixs', 'first', 5_000));
    const alignment = new Alignment(codePointsOf('prefixsbbcm'), 2);
    const compare = jest.spyOn(alignment, 'mayHaveLetters');
    const inSteps: number[] = [];
    const steps = index.near(alignment);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) {
      inSteps.push(compare.mock.calls.length);
      compare.mockClear();
    }
    expect(Math.max(...inSteps)).toBeLessThanOrEqual(256);
    const near = wordsWith('prefixs', 'first', 5_000).filter((word) => differences(word, 'prefixsbbcm') <= 2);
    expect(step.value.map(({ number }) => index.word(number)).filter((word) => word.length === 11)).toEqual(
      expect.arrayContaining(near),
    );
  });
});

const differences = (one: string, other: string): number =>
  Array.from(one).filter((letter, at) => letter !== other.charAt(at)).length;
