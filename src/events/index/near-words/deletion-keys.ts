import { randomInt } from 'node:crypto';

/** Random, against constructed collisions. Words with a common prefix share all keys but the whole word's. */
const SEED = randomInt(2 ** 32);

/** Keys cover only the first code points. */
const PREFIX = 7;

/** Nothing, one of seven code points, or two removed. */
export const MOST_DELETION_KEYS = 1 + 7 + 21;

/**
 * Writes distinct keys to `keys`, and returns their number. Words within `deletions` edits (optimal string alignment)
 * share a key: a 32-bit hash of the first seven code points after removals. An edit removes at most one code point per
 * word.
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

/** Distinguishes words with a common prefix. */
export const keyOfWord = (word: Uint32Array): number => hashWithout(word, word.length, -1, -1);

/** Enough to share a key with every searched word nearby: two edits need at least six code points, one edit three. */
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
