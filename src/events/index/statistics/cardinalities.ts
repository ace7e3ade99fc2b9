import type { InstantColumn } from '../instant-columns.js';
import type { PlaceColumn } from '../location-columns.js';

/** Known cardinalities: the document frequencies of `event_search`, and which of its terms have a bitmap. */
export interface Cardinalities {
  readonly records: number;
  /** The terms that had a bitmap when last looked at; 0 stands for every record. */
  readonly tracked: ReadonlySet<bigint>;
  /** How many records have the term; at most, of one that is too rare to be known. */
  ofTerm(term: bigint): number;
  /** How many records a term has at most that is too rare to be known. */
  readonly ofRareTerm: number;
  /** How many records name one of the locations. */
  ofLocations(column: PlaceColumn, ids: readonly string[]): number;
  /** How many records have an instant in `[fromMs, beforeMs)`, in milliseconds since the epoch. */
  ofInstants(column: InstantColumn, fromMs: number, beforeMs: number): number;
}

/** For a database without statistics: every condition seems equally selective. */
export const UNKNOWN_CARDINALITIES: Cardinalities = {
  records: 0,
  tracked: new Set(),
  ofTerm: () => 0,
  ofRareTerm: 0,
  ofLocations: () => 0,
  ofInstants: () => 0,
};
