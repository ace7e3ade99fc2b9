import type { InstantColumn } from '../instant-columns.js';
import type { PlaceColumn } from '../location-columns.js';

/** The document frequencies of `event_search`, and the terms with a bitmap. */
export interface Cardinalities {
  readonly records: number;
  /** As of the last look; 0 stands for every record. */
  readonly tracked: ReadonlySet<bigint>;
  /** The number of records; an upper bound for a rare term. */
  ofTerm(term: bigint): number;
  /** An upper bound for terms too rare for the statistics. */
  readonly ofRareTerm: number;
  /** The number of records that name one of the locations. */
  ofLocations(column: PlaceColumn, ids: readonly string[]): number;
  /** The number of records with an instant in `[fromMs, beforeMs)`, in milliseconds since the epoch. */
  ofInstants(column: InstantColumn, fromMs: number, beforeMs: number): number;
}

/** Without statistics every condition seems equally selective. */
export const UNKNOWN_CARDINALITIES: Cardinalities = {
  records: 0,
  tracked: new Set(),
  ofTerm: () => 0,
  ofRareTerm: 0,
  ofLocations: () => 0,
  ofInstants: () => 0,
};
