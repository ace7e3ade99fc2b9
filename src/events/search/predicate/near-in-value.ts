import type { NearWord } from '../../index/near-words/near-words.js';

/** S-11. */
export interface NearRun {
  readonly near: readonly NearWord[];
  /** The run itself, where a name may have it as a join. */
  readonly joins: readonly string[];
}

export interface NearInValue extends NearRun {
  /** Words with up to so many edits; undefined where there are no more than with fewer. */
  readonly upTo: readonly (readonly string[] | undefined)[];
}
