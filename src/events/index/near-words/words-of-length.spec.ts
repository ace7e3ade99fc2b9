import { Alignment, codePointsOf } from './optimal-string-alignment.js';
import { WordsOfLength } from './words-of-length.js';

const SEARCHED = '000000000000000000000000';

/** Words with two other letters than the searched one. */
const NEAR = Array.from({ length: 24 }, (_, one) =>
  Array.from({ length: one }, (__, other) =>
    Array.from('123456789abcdefghijklmno', (letter) => withLetters([one, letter], [other, 'z'])),
  ),
).flat(2);

function withLetters(...letters: readonly (readonly [at: number, letter: string])[]): string {
  const word = Array.from(SEARCHED);
  for (const [at, letter] of letters) word[at] = letter;
  return word.join('');
}

/** The words that are visited, step by step. */
function visited(words: readonly string[]): readonly (readonly string[])[] {
  const all = new WordsOfLength(SEARCHED.length, 'plain');
  for (const word of words) all.add(word);
  const steps: string[][] = [[]];
  const visiting = all.visitNear(new Alignment(codePointsOf(SEARCHED), 2), (word) => steps.at(-1)?.push(word));
  while (visiting.next().done !== true) steps.push([]);
  return steps;
}

describe('words of one length', () => {
  it('are visited some at a time, however many of them are near', () => {
    const steps = visited(NEAR);
    expect(steps.flat().toSorted()).toEqual(NEAR.toSorted());
    expect(Math.max(...steps.map(({ length }) => length))).toBeLessThan(1_500);
  });

  it('are visited a few times when they were added very often', () => {
    expect(visited(Array.from({ length: 5_120 }, () => SEARCHED)).flat().length).toBeLessThan(20);
  });

  it('are in runs of a megabyte at most, each a step, so that none takes long to merge', () => {
    const [length, count] = [128, 1 << 14];
    const far = new WordsOfLength(length, 'plain');
    for (let number = 0; number < count; number++) far.add(String(number).padStart(length, '0'));
    const steps = [...far.visitNear(new Alignment(codePointsOf('z'.repeat(length)), 2), () => undefined)];
    expect(steps.length).toBeGreaterThanOrEqual((count * length) / (1 << 20));
  });
});
