import { allowedEdits } from './optimal-string-alignment.js';

const LENGTHS: ReadonlySet<number> = new Set([4, 8, 12]);
const LETTER = /^[0-9a-f]$/u;
/** Any character, in LIKE. */
const ANY = '_';

/**
 * Patterns for LIKE, by edits: a word of four, eight or twelve letters that matches one of the patterns at `[edits]` is
 * at most that many edits away from the searched one (S-11), and every part of a UUID that is matches one. None where no
 * part of a UUID can be near.
 */
export type UuidPartsNear = readonly (readonly string[])[];

/** A UUID's parts need not be known from records, since each record may have others: tens of thousands may be near. */
export function uuidPartsNear(word: string): UuidPartsNear {
  const letters = Array.from(word);
  const most = allowedEdits(letters.length);
  const patterns = Array.from({ length: most + 1 }, (_, edits) => [...new Set(patternsOf(letters, edits))]);
  return patterns.some((some) => some.length > 0) ? patterns : [];
}

/** The patterns of what is exactly so many edits away, no part being edited twice. */
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

const isLetter = (letter: string): boolean => LETTER.test(letter);
