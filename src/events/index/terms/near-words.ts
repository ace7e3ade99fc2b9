import type { DataPath } from '../values/data-path.js';
import { allowedEdits, codePointsOf } from './optimal-string-alignment.js';

const THREE_DIGITS = /\d\D*\d\D*\d/;

/** A word with three or more digits, or an e-mail address: no other word is near it (S-11), and no table has it. */
export const isComparedExactly = (word: string): boolean => word.includes('@') || THREE_DIGITS.test(word);

/** Keys cover only the first code points. */
const PREFIX = 7;

/** Enough to share a key with every searched word nearby: two edits need at least six code points, one edit three. */
function deletionsIn(length: number): number {
  if (length < 2) return 0;
  return length < 4 ? 1 : 2;
}

/** For a word in the table, at most 29; the first is that of the word without a deletion. */
export function keysOfStored(word: string): readonly number[] {
  const points = codePointsOf(word);
  return deletionKeys(points, deletionsIn(points.length));
}

/** For a searched word: every word near it (S-11) has one of these keys. */
export function keysOfSearched(word: string): readonly number[] {
  const points = codePointsOf(word);
  return deletionKeys(points, allowedEdits(points.length));
}

/**
 * Words within `deletions` edits (optimal string alignment) share a key: a signed 32-bit hash of the first seven code
 * points after removals, as in SymSpell. An edit removes at most one code point per word.
 */
function deletionKeys(word: Uint32Array, deletions: number): readonly number[] {
  const length = Math.min(word.length, PREFIX);
  const keys = new Set([hashWithout(word, length, -1, -1)]);
  for (let first = 0; deletions > 0 && first < length; first++) {
    keys.add(hashWithout(word, length, first, -1));
    for (let second = first + 1; deletions > 1 && second < length; second++) {
      keys.add(hashWithout(word, length, first, second));
    }
  }
  return [...keys];
}

/** Stored: a different hash makes a new version of derived data. */
function hashWithout(word: Uint32Array, length: number, first: number, second: number): number {
  let hash = 0x9e3779b9;
  for (let at = 0; at < length; at++) {
    if (at === first || at === second) continue;
    hash = Math.imul(hash ^ (word[at] ?? 0), 0x85ebca6b);
    hash ^= hash >>> 13;
  }
  return Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35) | 0;
}

export interface NearWord {
  readonly word: string;
  /** 0, 1 or 2. */
  readonly edits: number;
}

export interface NearInFields {
  /** Each once. */
  readonly words: readonly NearWord[];
  /** Undefined if there are too many pairs. */
  readonly byField: ReadonlyMap<DataPath, readonly NearWord[]> | undefined;
}

/** Searched words must be as `wordsOf` returns them, and must have been asked for (`readVocabulary`). */
export interface WordsNear {
  /** Exactly the near words at `path` (S-11). */
  at(path: DataPath, word: string): readonly NearWord[];
  inEachField(word: string): NearInFields;
  /** Fields with the word itself; undefined if there are too many. */
  fieldsOf(word: string): ReadonlySet<DataPath> | undefined;
}

/** For searches without a fuzzy condition. */
export const NO_WORDS: WordsNear = {
  at: () => [],
  inEachField: () => ({ words: [], byField: undefined }),
  fieldsOf: () => new Set(),
};
