import type { OutboundClient } from '../../../platform/outbound/outbound-client.js';
import type { Pace } from '../../../platform/outbox/pace.js';
import type { DeliveryMetrics } from '../delivery-metrics.js';
import type { Amount, DueDeliveries } from '../due-deliveries.js';
import type { Settlements } from '../settlements.js';
import type { BeginTurns } from './begin-turns.js';
import type { Lanes } from './lanes.js';
import type { ReadTurns } from './read-turns.js';

/** What one lane may have in progress (W-9), and read at a time. */
export interface Share {
  readonly underWay: number;
  readonly read: Amount;
}

/** What all sessions of a process share. */
export interface SessionTools {
  readonly lanes: Pick<Lanes, 'release'>;
  readonly due: Pick<DueDeliveries, 'open' | 'take'>;
  readonly turns: ReadTurns;
  readonly beginnings: BeginTurns;
  readonly settlements: Pick<Settlements, 'note'>;
  readonly client: Pick<OutboundClient, 'exchange'>;
  readonly metrics: Pick<DeliveryMetrics, 'observe'>;
  readonly scheduleSeconds: readonly number[];
  readonly leaseMs: number;
  readonly timeoutMs: number;
  /** In `[0, 1)`. */
  readonly random: () => number;
  readonly onFault: (fault: unknown) => void;
  /** Whether this process still holds what it held at that time, by `performance.now()` (W-16). */
  readonly isHolding: (sinceMs: number) => boolean;
  /** Whether there is room to keep lanes on which nothing is due for a moment. */
  readonly mayLinger: () => boolean;
  /** What a lane of this pace may have in progress (W-9) and read at a time, considering the others. */
  readonly shareOf: (pace: Pace, isProved: boolean) => Share;
}
