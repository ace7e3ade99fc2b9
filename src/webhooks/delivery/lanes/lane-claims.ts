import type { Pace } from '../../../platform/outbox/pace.js';
import type { Lease } from './lanes.js';

/** Few at a time, so that several processes share what becomes due together. */
export const MOST_CLAIMS = 16;

/** What lanes are claimed with. */
interface ClaimingTools {
  /** The slowest lanes that the process accepts now; undefined if it accepts none. */
  readonly slowest: () => Pace | undefined;
  readonly claim: (most: number, slowest: Pace) => Promise<readonly Lease[]>;
  /** Resolves when the lane is open or handed over; one that is left before is found again. */
  readonly dispatch: (claim: Lease) => Promise<void>;
  /** More may be claimed than a moment ago. */
  readonly wake: () => void;
}

/**
 * Claims lanes in portions. Slow lanes and those not known to be quick open one portion at a time, and meanwhile quick
 * ones are claimed: a quick subscriber waits for no other to be opened (W-9).
 */
export class LaneClaims {
  private opening: Promise<unknown> | undefined;

  constructor(private readonly tools: ClaimingTools) {}

  /** Resolves with whether more may be due of what is accepted now. */
  async claim(): Promise<boolean> {
    const accepted = this.tools.slowest();
    if (accepted === undefined) return false;
    const claims = await this.tools.claim(MOST_CLAIMS, this.opening === undefined ? accepted : 'quick');
    const others = claims.filter(({ pace }) => pace !== 'quick');
    if (others.length > 0) {
      this.opening = Promise.allSettled(others.map((claim) => this.tools.dispatch(claim))).then(() => {
        this.opening = undefined;
        this.tools.wake();
      });
    }
    await Promise.all(claims.filter(({ pace }) => pace === 'quick').map((claim) => this.tools.dispatch(claim)));
    return claims.length === MOST_CLAIMS;
  }

  /** Resolves when no lane is being opened. */
  async opened(): Promise<void> {
    await this.opening;
  }
}
