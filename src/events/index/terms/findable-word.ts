/** A limit of Postgres indexes. Terms of 256 code points (S-4) exceed it only with dozens of ligatures. */
const MOST_WORD_BYTES = 2_400;

export const isFindable = (word: string): boolean =>
  word.length <= MOST_WORD_BYTES / 3 || Buffer.byteLength(word) <= MOST_WORD_BYTES;
