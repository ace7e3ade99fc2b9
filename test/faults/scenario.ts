import type { World } from './world.js';

/** How deliveries are dispatched: without `REDIS_URL` and with it (P-3). */
export type Dispatch = 'in process' | 'Bull';

/** One fault, and what is done while it lasts. Counting is the same for all. */
export interface Scenario {
  /** What goes wrong, as the table says it. */
  readonly fault: string;
  /** Both unless it is said. */
  readonly dispatch?: readonly Dispatch[];
  /** Variables of the service on top of those that all scenarios share. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether Redis runs when the service starts; it does unless it is said. */
  readonly redisAtStart?: boolean;
  /** How often a subscriber may be notified again of what it has acknowledged: once for each kill at most. 0 unless it is said. */
  readonly mayRepeat?: number;
  /** Brings the fault about, with events before, during and after it, and mends it. */
  readonly act: (world: World) => Promise<void>;
}
