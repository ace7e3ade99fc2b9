import type { Claim } from './lanes.js';

/** Hands a claimed lane to a runner: in this process, or in whichever comes first (P-3). */
export abstract class Dispatcher {
  /** Resolves when the claim is handed over. Never throws: a claim that gets lost is made again. */
  abstract dispatch(claim: Claim): Promise<void>;

  /** Hands nothing over any more, and takes nothing up. To be called when no lane is delivered on. */
  abstract close(): Promise<void>;
}
