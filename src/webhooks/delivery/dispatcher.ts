import type { Lease } from './lanes/lanes.js';

/** Passes a claimed lane to a runner: in this process, or in whichever is first (P-3). */
export abstract class Dispatcher {
  /**
   * Resolves when the lease is taken up or handed over. Never throws: if a lease is lost, the lane is claimed again.
   */
  abstract dispatch(claim: Lease): Promise<void>;

  /** Whether leases go where they should: if Redis is away, they run here. */
  abstract readonly state: 'up' | 'degraded';

  /** Takes nothing more up that others have handed over: they are to go to another process. Never throws. */
  abstract takeNoMore(): void;

  /** Hands over nothing more, and takes nothing up. To be called when no lane is in progress. */
  abstract close(): Promise<void>;
}
