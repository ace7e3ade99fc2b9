import type { Prng } from '../prng.js';

const LETTER = /\p{L}/u;
const MARK = /\p{M}/u;

/** The text with one typing error: two letters swapped, one left out, doubled, or struck in place of another. */
export function withTypingError(prng: Prng, text: string): string {
  const letters = Array.from(text);
  const at = prng.between(0, letters.length - 1);
  const [letter = '', next = '', afterNext = ''] = letters.slice(at, at + 3);
  // A mark belongs to the letter before it: that letter stays where it is.
  if (!LETTER.test(letter) || MARK.test(next)) return text;
  switch (prng.between(0, 3)) {
    case 0:
      if (LETTER.test(next) && !MARK.test(afterNext)) letters.splice(at, 2, cased(next, letter), cased(letter, next));
      break;
    case 1:
      if (letters.length > 2) letters.splice(at, 1);
      break;
    case 2:
      letters.splice(at + 1, 0, letter.toLowerCase());
      break;
    default: {
      // Any other letter of the same text: it is of the same script.
      const other = prng.pick(letters);
      if (LETTER.test(other)) letters.splice(at, 1, cased(other, letter));
    }
  }
  return letters.join('');
}

/** The letter as a capital where the other one is. */
const cased = (letter: string, like: string): string =>
  like === like.toLowerCase() ? letter.toLowerCase() : letter.toUpperCase();
