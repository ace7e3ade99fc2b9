import type { NearWord } from '../../index/near-words/fuzzy-dictionary.js';

/** Parts of UUIDs, as one text: the driver is slow with many. */
export interface Patterns {
  readonly lengths: readonly number[];
  readonly joined: readonly [string];
  readonly sieve: readonly string[] | undefined;
}

/** By edits (`uuidPartsNear`); empty where none are near. */
export type PartsNear = readonly (Patterns | undefined)[];

/** S-11. */
export interface NearRun {
  readonly near: readonly NearWord[];
  /** The run itself, where a name may have it as a join. */
  readonly joins: readonly string[];
}

export interface NearInValue extends NearRun {
  /** Words with up to so many edits; undefined where there are no more than with fewer. */
  readonly upTo: readonly (readonly string[] | undefined)[];
  readonly parts: PartsNear;
}
