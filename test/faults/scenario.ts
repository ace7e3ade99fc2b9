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
  /**
   * How often a subscriber may be notified again of what it has acknowledged: once for each delivery that a kill cuts off. 0
   * unless it is said; those whose acknowledgement came too late are not counted.
   */
  readonly mayRepeat?: number;
  /** Whether it shares nothing with others: not PostgreSQL, nor the time of the machine. */
  readonly alone?: boolean;
  /** Brings the fault about, with events before, during and after it, and mends it. */
  readonly act: (world: World) => Promise<void>;
}
