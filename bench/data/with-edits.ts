import type { Prng } from '../../demo/prng.js';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzó';

/** A word with so many random edits: a letter replaced, put in, left out, or two neighbours exchanged. */
export function withEdits(prng: Prng, word: string, edits: number): string {
  const letters = Array.from(word);
  for (let edit = 0; edit < edits; edit++) {
    const at = prng.between(0, letters.length - 1);
    const letter = prng.pick(Array.from(LETTERS));
    switch (prng.between(0, 3)) {
      case 0:
        letters.splice(at, 1, letter);
        break;
      case 1:
        letters.splice(at, 0, letter);
        break;
      case 2:
        if (letters.length > 2) letters.splice(at, 1);
        break;
      default:
        letters.splice(at, 2, ...letters.slice(at, at + 2).reverse());
    }
  }
  return letters.join('');
}
