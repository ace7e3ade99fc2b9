import { byColumn } from '../../../kernel/domain/searched-fields.js';
import type { InstantColumn } from '../instant-columns.js';
import { PLACE_COLUMNS, type PlaceColumn } from '../location-columns.js';
import type { Cardinalities } from './cardinalities.js';

/** What Postgres knew of `event_search` when it last analyzed it, as shares of its records. */
export interface Statistics {
  readonly records: number;
  /** The terms that have a bitmap. */
  readonly tracked: ReadonlySet<bigint>;
  /** The most frequent terms. */
  readonly terms: ReadonlyMap<bigint, number>;
  /** The most frequent locations of each column. */
  readonly locations: Readonly<Record<PlaceColumn, ReadonlyMap<string, number>>>;
  readonly instants: Readonly<Record<InstantColumn, InstantStatistics>>;
}

interface InstantStatistics {
  /** The most frequent instants, in milliseconds since the epoch. */
  readonly common: ReadonlyMap<number, number>;
  /**
   * In ascending order, in milliseconds since the epoch; the same number of the other records lies between any two
   * neighbours.
   */
  readonly boundsMs: readonly number[];
  /** The share of records that have an instant at all. */
  readonly present: number;
}

/** Document frequencies from the statistics that Postgres keeps of every table. */
export class KnownCardinalities implements Cardinalities {
  readonly records: number;
  readonly tracked: ReadonlySet<bigint>;
  readonly ofRareTerm: number;
  private readonly rareLocation: Readonly<Record<PlaceColumn, number>>;

  /** Of lists of places: the hierarchy keeps one for each area, which may have hundreds. */
  private readonly summed = byColumn(PLACE_COLUMNS, () => new WeakMap<readonly string[], number>());

  constructor(private readonly statistics: Statistics) {
    const { records, tracked, terms, locations } = statistics;
    this.records = records;
    this.tracked = tracked;
    this.ofRareTerm = records * leastOf(terms);
    this.rareLocation = byColumn(PLACE_COLUMNS, ({ column }) => leastOf(locations[column]));
  }

  ofTerm(term: bigint): number {
    const share = this.statistics.terms.get(term);
    return share === undefined ? this.ofRareTerm : this.records * share;
  }

  ofLocations(column: PlaceColumn, ids: readonly string[]): number {
    const summed = this.summed[column].get(ids);
    if (summed !== undefined) return summed;
    const known = this.statistics.locations[column];
    const rare = this.rareLocation[column];
    const sum = this.records * ids.reduce((sum, id) => sum + (known.get(id) ?? rare), 0);
    this.summed[column].set(ids, sum);
    return sum;
  }

  ofInstants(column: InstantColumn, fromMs: number, beforeMs: number): number {
    const { common, boundsMs, present } = this.statistics.instants[column];
    let [within, others] = [0, present];
    for (const [ms, share] of common) {
      others -= share;
      if (ms >= fromMs && ms < beforeMs) within += share;
    }
    // Without a histogram, as before the first records are analyzed, a range counts like any other condition.
    if (boundsMs.length >= 2) {
      within += Math.max(0, others) * Math.max(0, shareBelow(boundsMs, beforeMs) - shareBelow(boundsMs, fromMs));
    }
    return this.records * within;
  }
}

/** Anything unknown is at most as frequent as the rarest known one. */
const leastOf = (shares: ReadonlyMap<unknown, number>): number =>
  shares.size === 0 ? 0 : Math.min(...shares.values());

/**
 * The share of instants before this one, by the histogram. New ones lie past its end: recent writes are not analyzed
 * yet.
 */
function shareBelow(boundsMs: readonly number[], ms: number): number {
  const above = boundsMs.findIndex((bound) => bound >= ms);
  if (above < 0) return 1;
  const [low, high] = [boundsMs[above - 1], boundsMs[above]];
  if (low === undefined || high === undefined) return 0;
  const within = high === low ? 0 : (ms - low) / (high - low);
  return (above - 1 + within) / (boundsMs.length - 1);
}
