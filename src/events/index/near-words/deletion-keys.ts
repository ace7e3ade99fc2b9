import { randomInt } from 'node:crypto';

/**
 * Keys are of this process alone: nobody can look for different words that have one key. Words that begin alike share
 * all but that of the whole word.
 */
const SEED = randomInt(2 ** 32);

/** Only the first code points of two words are compared by keys. */
const PREFIX = 7;

/** No word has more keys: nothing removed, one of seven code points, or two of them. */
export const MOST_DELETION_KEYS = 1 + 7 + 21;

/**
 * Keys of which two words share at least one if they are at most `deletions` edits of optimal string alignment apart:
 * 32-bit hashes of what is left of the first seven code points after removing up to that many. This works because each
 * edit removes at most one code point from either word, and the rest begins alike. Writes the keys to `keys`, each
 * once; returns their number.
 */
export function deletionKeys(word: Uint32Array, deletions: number, keys: Uint32Array): number {
  const length = Math.min(word.length, PREFIX);
  let count = addKey(keys, 0, hashWithout(word, length, -1, -1));
  for (let first = 0; deletions > 0 && first < length; first++) {
    count = addKey(keys, count, hashWithout(word, length, first, -1));
    for (let second = first + 1; deletions > 1 && second < length; second++) {
      count = addKey(keys, count, hashWithout(word, length, first, second));
    }
  }
  return count;
}

/** The key of a whole word: others that begin alike have another. */
export const keyOfWord = (word: Uint32Array): number => hashWithout(word, word.length, -1, -1);

/**
 * How many code points must be removed from a word of this length so that it shares a key with every searched word that
 * it is near: a word that allows two edits has six code points or more, and one that allows one has three or more.
 */
export function deletionsIn(length: number): number {
  if (length < 2) return 0;
  return length < 4 ? 1 : 2;
}

function addKey(keys: Uint32Array, count: number, key: number): number {
  for (let at = 0; at < count; at++) if (keys[at] === key) return count;
  keys[count] = key;
  return count + 1;
}

function hashWithout(word: Uint32Array, length: number, first: number, second: number): number {
  let hash = SEED;
  for (let at = 0; at < length; at++) {
    if (at === first || at === second) continue;
    hash = Math.imul(hash ^ (word[at] ?? 0), 0x85ebca6b);
    hash ^= hash >>> 13;
  }
  return Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35) >>> 0;
}
