import type { NearWord } from '../../index/near-words/fuzzy-dictionary.js';

/** Patterns of the words that are parts of UUIDs, as one list: one text, since the driver takes long over many. */
export interface Patterns {
  readonly lengths: readonly number[];
  readonly joined: readonly [string];
  readonly sieve: readonly string[] | undefined;
}

/** The parts of UUIDs near a word, by edits, as `uuidPartsNear` has them; empty where none are near. */
export type PartsNear = readonly (Patterns | undefined)[];

/** What one run of a term finds (S-11). */
export interface NearRun {
  readonly near: readonly NearWord[];
  /** The run itself, where a name may have it as a join. */
  readonly joins: readonly string[];
}

/** What a record may have that a run of a term finds. */
export interface NearInValue extends NearRun {
  /** The near words with up to so many edits, where there is one more than with fewer. */
  readonly upTo: readonly (readonly string[] | undefined)[];
  /** Parts of UUIDs, whose words are not stored. */
  readonly parts: PartsNear;
}
