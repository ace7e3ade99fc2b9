/** Longer names sort by their first letters: indexes limit the length. */
export const MOST_NAME_LETTERS = 128;

export const CAPITALS = 26;

export const FIRST_CAPITAL = 65;

export const PLAIN_LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz';

const PLAIN = /^[0-9a-z]$/;

/**
 * One per code point; the 140,000 letters of other scripts map to 26 capitals. Near words have near sort letters, as
 * have a few others.
 */
export const nameLettersOf = (word: string): readonly string[] =>
  Array.from(word, (letter) =>
    PLAIN.test(letter) ? letter : String.fromCharCode(FIRST_CAPITAL + ((letter.codePointAt(0) ?? 0) % CAPITALS)),
  );
