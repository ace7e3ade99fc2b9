import { allowedEdits } from './optimal-string-alignment.js';

const LENGTHS: ReadonlySet<number> = new Set([4, 8, 12]);
const LETTER = /^[0-9a-f]$/u;
const ANY = '_';
const ANYTHING = '%';

/**
 * LIKE patterns by edits: a word of 4, 8 or 12 letters that matches `[edits]` is within that distance (S-11). Complete
 * for parts of UUIDs.
 */
export type UuidPartsNear = readonly (readonly string[])[];

/** UUIDs differ in each record: their parts are not stored. */
export function uuidPartsNear(word: string): UuidPartsNear {
  const letters = Array.from(word);
  const most = allowedEdits(letters.length);
  const patterns = Array.from({ length: most + 1 }, (_, edits) => [...new Set(patternsOf(letters, edits))]);
  return patterns.some((some) => some.length > 0) ? patterns : [];
}

/** Exactly `edits`, no part being edited twice. */
function patternsOf(letters: readonly string[], edits: number): readonly string[] {
  const found: string[] = [];
  const edit = (before: string, from: number, left: number): void => {
    const length = before.length + letters.length - from;
    if (left === 0) {
      if (LENGTHS.has(length) && letters.slice(from).every(isLetter)) found.push(before + letters.slice(from).join(''));
      return;
    }
    let kept = before;
    for (let at = from; at <= letters.length; at++) {
      const [letter, next] = [letters[at], letters[at + 1]];
      edit(kept + ANY, at, left - 1);
      if (letter === undefined) return;
      edit(kept, at + 1, left - 1);
      edit(kept + ANY, at + 1, left - 1);
      if (next !== undefined && isLetter(letter) && isLetter(next)) edit(kept + next + letter, at + 2, left - 1);
      if (!isLetter(letter)) return;
      kept += letter;
    }
  };
  edit('', 0, edits);
  return found;
}

/**
 * A few LIKE patterns that cover those of two edits, as a cheap first filter. Undefined where all patterns are few.
 *
 * Two edits leave one of three pieces unchanged, unless letters are exchanged across a boundary; one side then has no
 * further edit.
 */
export function sieveOfUuidParts(word: string): readonly string[] | undefined {
  const letters = Array.from(word);
  if (allowedEdits(letters.length) < 2) return undefined;
  const ends = [Math.floor(letters.length / 3), Math.floor((2 * letters.length) / 3)] as const;
  return [
    ...beginningAndEnd(letters, ...ends),
    ...patternOf(ANYTHING, letters.slice(...ends), ANYTHING),
    ...ends.flatMap((end) => beginningAndEnd(exchangedAt(letters, end), end)),
  ];
}

const beginningAndEnd = (letters: readonly string[], before: number, after = before): readonly string[] => [
  ...patternOf('', letters.slice(0, before), ANYTHING),
  ...patternOf(ANYTHING, letters.slice(after), ''),
];

/** Empty for letters that no UUID has. */
const patternOf = (before: string, letters: readonly string[], after: string): readonly string[] =>
  letters.every(isLetter) ? [`${before}${letters.join('')}${after}`] : [];

const exchangedAt = (letters: readonly string[], at: number): readonly string[] => [
  ...letters.slice(0, at - 1),
  ...letters.slice(at, at + 1),
  ...letters.slice(at - 1, at),
  ...letters.slice(at + 1),
];

const isLetter = (letter: string): boolean => LETTER.test(letter);
