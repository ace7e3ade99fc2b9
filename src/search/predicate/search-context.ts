import type { LocationColumn } from '../../derived/location-columns.js';
import type { WordsNear } from '../../derived/near-words/fuzzy-dictionary.js';
import type { Term } from '../../derived/terms/term-kind.js';
import type { Shapes } from '../../derived/words/shapes.js';
import type { Uuid } from '../../domain/uuid.js';
import type { WorkedOut } from './worked-out.js';

/**
 * What the meaning of a search depends on beside the request: the compiler knows neither clock, settings nor
 * database.
 */
export interface SearchContext {
  readonly now: Date;
  /** IANA name of the zone in which a calendar date is read (S-8). */
  readonly timezone: string;
  /** Who searches: what `declaredBy=user` and its like compare with. */
  readonly callerSubject: string;
  /** The location and everything below it in the hierarchy; nothing for an unknown one (S-9). */
  readonly below: (location: string) => readonly Uuid[];
  /** The term that a record has whose place in the column lies within the area; undefined where none tells. */
  readonly areaTerm?: (column: LocationColumn, area: Uuid) => Term | undefined;
  /** The words of all records, for fuzzy conditions (S-11). */
  readonly dictionary: WordsNear;
  /** What kinds of values they have, for conditions on the declaration. */
  readonly shapes: Shapes;
  /**
   * Whether terms that decide are taken at their word. What is compiled is then far shorter, and right only where the
   * proof of its predicate holds.
   */
  readonly trustsTerms?: boolean;
  /**
   * What was worked out beforehand, and is kept for the length of one search; absent: each is, as often as it is
   * asked for.
   */
  readonly workedOut?: WorkedOut;
  /**
   * Works out what a search that trusts no terms takes long for, a little at a time; to be called before it is compiled so.
   */
  readonly prepareDoubt?: () => Promise<void>;
}
