import type { Lease } from './lanes/lanes.js';

/** Hands a claimed lane to a runner: in this process, or in whichever comes first (P-3). */
export abstract class Dispatcher {
  /** Resolves when the claim is taken up, or handed over. Never throws: a claim that gets lost is made again. */
  abstract dispatch(claim: Lease): Promise<void>;

  /** Whether claims go where they should: a Redis that is away does not keep them from being run here. */
  abstract readonly state: 'up' | 'degraded';

  /** Hands nothing over any more, and takes nothing up. To be called when no lane is delivered on. */
  abstract close(): Promise<void>;
}
