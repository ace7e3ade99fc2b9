import type { InstantColumn } from '../instant-columns.js';
import type { PlaceColumn } from '../location-columns.js';

/** Document frequencies of `event_search`. */
export interface Cardinalities {
  readonly records: number;
  /** In records; an upper bound for a rare term. */
  ofTerm(term: bigint): number;
  /** An upper bound for terms too rare for the statistics. */
  readonly ofRareTerm: number;
  /** In records. */
  ofLocations(column: PlaceColumn, ids: readonly string[]): number;
  /** Records with an instant in `[fromMs, beforeMs)`, in milliseconds since the epoch. */
  ofInstants(column: InstantColumn, fromMs: number, beforeMs: number): number;
}

/** Without statistics every condition seems equally selective. */
export const UNKNOWN_CARDINALITIES: Cardinalities = {
  records: 0,
  ofTerm: () => 0,
  ofRareTerm: 0,
  ofLocations: () => 0,
  ofInstants: () => 0,
};
