/** Of a longer name only the first are in the order of blocks, since an index does not accept any length. */
export const MOST_NAME_LETTERS = 128;

/** How many capitals there are. */
export const CAPITALS = 26;

/** The code point of `A`. */
export const FIRST_CAPITAL = 65;

/** Those that stand for themselves. */
export const PLAIN_LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz';

const PLAIN = /^[0-9a-z]$/;

/**
 * The letters by which a name is sorted, one for each code point: a letter of any other script, of which there are
 * 140,000, becomes one of 26 capitals. So what is near a word has letters near its letters, and some others have them
 * too.
 */
export const nameLettersOf = (word: string): readonly string[] =>
  Array.from(word, (letter) =>
    PLAIN.test(letter) ? letter : String.fromCharCode(FIRST_CAPITAL + ((letter.codePointAt(0) ?? 0) % CAPITALS)),
  );
