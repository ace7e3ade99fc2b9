import type { DataPath } from '../values/data-path.js';

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
