/**
 * Longer words are in no dictionary: a Postgres index does not accept much longer ones. A term of 256 code points (S-4)
 * is near such a word only if dozens of ligatures are folded in it.
 */
const MOST_WORD_BYTES = 2_400;

/** Whether fuzzy conditions find the word. */
export const isFindable = (word: string): boolean =>
  word.length <= MOST_WORD_BYTES / 3 || Buffer.byteLength(word) <= MOST_WORD_BYTES;
