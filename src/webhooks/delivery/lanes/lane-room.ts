import { KIB, MIB } from '../../../kernel/domain/bytes.js';
import type { Pace } from '../../../platform/outbox/pace.js';
import type { Share } from './session-tools.js';

/** A lane in progress. */
interface Lane {
  readonly pace: Pace;
}

/**
 * Lanes of each kind that one process claims at a time: quick or unknown ones, and slow ones. However many are unknown,
 * as many quick ones are claimed.
 */
const MOST_SOON = 500;
const MOST_SLOW = 500;
/** With more lanes than this in total, only quick ones are claimed; with twice as many, none. */
const MOST_UNPROVED = 1_000;
const MOST_AT_ALL = 2_000;
/** With more lanes than this, none is kept on which nothing is due. */
const MOST_LINGERING = 200;
/** Exchanges in progress of each kind, when each lane has one. */
const MOST_EXCHANGES = 1_000;
/** The same for those that have not answered yet: hundreds of them must not begin two each. */
const MOST_UNPROVED_EXCHANGES = 100;
/** Of notifications in memory, over all lanes; and what one lane may read in any case. */
const MOST_BYTES = 64 * MIB;
const MOST_BYTES_OF_ONE = 4 * MIB;
const LEAST_BYTES_OF_ONE = 64 * KIB;
/** Deliveries read at a time: from quick subscribers more than the next few, so that none has to be waited for. */
const MOST_READ = 250;
/**
 * If there is no room left, lanes that have had their turn for this long make room for others, a quarter of them at a
 * time.
 */
const TURN_MS = 2_000;

/**
 * How lanes share one process (W-9). Slow lanes, including those whose exchange has just become slow, have a separate
 * share: however many they are, the share of the others is free again as soon as this is known. Exchanges, and with
 * them sockets, and what is read ahead are limited: the more lanes, the less for each.
 */
export class LaneRoom {
  private slow = 0;
  private soon = 0;
  private quick = 0;
  private readonly sinceMs = new WeakMap<Lane, number>();

  /** `inFlight`: `WEBHOOK_MAX_IN_FLIGHT_PER_SUBSCRIPTION`. */
  constructor(private readonly inFlight: number) {}

  /** Counts the current lanes. */
  count(lanes: readonly Lane[]): void {
    this.slow = lanes.filter(({ pace }) => pace === 'slow').length;
    this.soon = lanes.length - this.slow;
    this.quick = lanes.filter(({ pace }) => pace === 'quick').length;
    for (const lane of lanes) if (!this.sinceMs.has(lane)) this.sinceMs.set(lane, performance.now());
  }

  /** The slowest lanes for which there is room; undefined if there is none. */
  get takes(): Pace | undefined {
    const all = this.slow + this.soon;
    if (this.quick >= MOST_SOON || all >= MOST_AT_ALL) return undefined;
    // If hundreds have not answered yet, it takes a second until they are known to be slow.
    if (this.soon >= MOST_SOON || all >= MOST_UNPROVED) return 'quick';
    return this.slow >= MOST_SLOW ? 'unknown' : 'slow';
  }

  /** Whether lanes on which nothing is due may be kept for a moment. */
  get mayLinger(): boolean {
    return this.slow + this.soon <= MOST_LINGERING;
  }

  /** What one lane may have in progress, and read at a time; `isProved` says whether it answers. */
  shareOf(pace: Pace, isProved: boolean): Share {
    const alike = pace === 'slow' ? this.slow : this.soon;
    const underWay = Math.min(
      this.inFlight,
      Math.max(1, Math.floor((isProved ? MOST_EXCHANGES : MOST_UNPROVED_EXCHANGES) / Math.max(1, alike))),
    );
    const bytes = Math.floor(MOST_BYTES / Math.max(1, this.slow + this.soon));
    return {
      underWay,
      read: {
        most: pace === 'quick' ? MOST_READ : 2 * underWay,
        bytes: Math.min(MOST_BYTES_OF_ONE, Math.max(LEAST_BYTES_OF_ONE, bytes)),
      },
    };
  }

  /** Lanes that have had their turn while others may be waiting: of each kind without room left, the oldest. */
  crowdedOut<L extends Lane>(lanes: readonly L[]): readonly L[] {
    const had = lanes
      .filter((lane) => performance.now() - (this.sinceMs.get(lane) ?? Infinity) >= TURN_MS)
      .sort((one, other) => (this.sinceMs.get(one) ?? 0) - (this.sinceMs.get(other) ?? 0));
    const quarter = (isSlow: boolean, most: number): readonly L[] =>
      had.filter(({ pace }) => (pace === 'slow') === isSlow).slice(0, most / 4);
    return [
      ...(this.soon >= MOST_SOON ? quarter(false, MOST_SOON) : []),
      ...(this.slow >= MOST_SLOW ? quarter(true, MOST_SLOW) : []),
    ];
  }
}
