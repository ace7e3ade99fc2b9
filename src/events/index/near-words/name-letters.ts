/** Blocks sort longer names by their first letters, since an index limits the length. */
export const MOST_NAME_LETTERS = 128;

export const CAPITALS = 26;

export const FIRST_CAPITAL = 65;

export const PLAIN_LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz';

const PLAIN = /^[0-9a-z]$/;

/**
 * Sort letters of a name, one per code point: a letter of another script, of which there are 140,000, becomes one of 26
 * capitals. Near words have near sort letters, and so do a few others.
 */
export const nameLettersOf = (word: string): readonly string[] =>
  Array.from(word, (letter) =>
    PLAIN.test(letter) ? letter : String.fromCharCode(FIRST_CAPITAL + ((letter.codePointAt(0) ?? 0) % CAPITALS)),
  );
