import { byColumn } from '../../../kernel/domain/searched-fields.js';
import { type InstantColumn, PLACE_COLUMNS, type PlaceColumn } from '../searched-columns.js';

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

/** Shares of the records of `event_search`. */
export interface Statistics {
  readonly records: number;
  readonly terms: ReadonlyMap<bigint, number>;
  readonly locations: Readonly<Record<PlaceColumn, ReadonlyMap<string, number>>>;
  readonly instants: Readonly<Record<InstantColumn, InstantStatistics>>;
}

interface InstantStatistics {
  /** In milliseconds since the epoch. */
  readonly common: ReadonlyMap<number, number>;
  /** Ascending, in milliseconds since the epoch; equally many other records lie between neighbours. */
  readonly boundsMs: readonly number[];
  /** The share of records with an instant. */
  readonly present: number;
}

export class KnownCardinalities implements Cardinalities {
  readonly records: number;
  readonly ofRareTerm: number;
  private readonly rareLocation: Readonly<Record<PlaceColumn, number>>;

  /** The hierarchy keeps one list per area, of up to hundreds. */
  private readonly summed = byColumn(PLACE_COLUMNS, () => new WeakMap<readonly string[], number>());

  constructor(private readonly statistics: Statistics) {
    const { records, terms, locations } = statistics;
    this.records = records;
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
    // Without a histogram a range counts like any other condition.
    if (boundsMs.length >= 2) {
      within += Math.max(0, others) * Math.max(0, shareBelow(boundsMs, beforeMs) - shareBelow(boundsMs, fromMs));
    }
    return this.records * within;
  }
}

/** At most the rarest known frequency. */
const leastOf = (shares: ReadonlyMap<unknown, number>): number =>
  shares.size === 0 ? 0 : Math.min(...shares.values());

/** By the histogram. New instants lie past its end until the next ANALYZE. */
function shareBelow(boundsMs: readonly number[], ms: number): number {
  const above = boundsMs.findIndex((bound) => bound >= ms);
  if (above < 0) return 1;
  const [low, high] = [boundsMs[above - 1], boundsMs[above]];
  if (low === undefined || high === undefined) return 0;
  const within = high === low ? 0 : (ms - low) / (high - low);
  return (above - 1 + within) / (boundsMs.length - 1);
}
