import type { RecordOptions } from '../../../kernel/domain/scopes/caller.js';
import type { WordsNear } from '../../index/near-words/near-words.js';
import type { Shapes } from '../../index/terms/shapes.js';
import type { Terms } from '../../index/terms/terms.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import type { Guard } from '../request/guard.js';
import type { WorkedOut } from './worked-out.js';

/** The inputs of a search besides the request: the compiler knows no clock, settings or database. */
export interface SearchContext {
  readonly now: Date;
  /** IANA name; calendar dates are read in it (S-8). */
  readonly timezone: string;
  /** Absent: nothing is hidden (E-10). */
  readonly guard?: Guard | undefined;
  /** `SearchContexts.naming`, where the scopes for searching hide nothing; absent: none. */
  readonly naming?: readonly RecordOptions[] | undefined;
  /** Includes the location; empty for an unknown one (S-9). */
  readonly below: (location: string) => readonly Uuid[];
  readonly terms: Terms;
  /** For fuzzy conditions (S-11). */
  readonly dictionary: WordsNear;
  readonly shapes: Shapes;
  /** Absent: nothing is memoized. */
  readonly workedOut?: WorkedOut;
}
