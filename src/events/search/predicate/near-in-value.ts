import type { NearWord } from '../../index/near-words/fuzzy-dictionary.js';

/** Patterns of words that are parts of UUIDs, as one text: the driver is slow with many. */
export interface Patterns {
  readonly lengths: readonly number[];
  readonly joined: readonly [string];
  readonly sieve: readonly string[] | undefined;
}

/** By edits, as in `uuidPartsNear`; empty where none are near. */
export type PartsNear = readonly (Patterns | undefined)[];

/** What one run of a term finds (S-11). */
export interface NearRun {
  readonly near: readonly NearWord[];
  /** The run itself, where a name may have it as a join. */
  readonly joins: readonly string[];
}

export interface NearInValue extends NearRun {
  /** The near words with up to so many edits; undefined where there are no more than with fewer. */
  readonly upTo: readonly (readonly string[] | undefined)[];
  /** Parts of UUIDs, whose words are not stored. */
  readonly parts: PartsNear;
}
