import { stepwise } from '../../../platform/queue/time-slice.js';
import { type Attempted, attempted, FAILED, type Outcome, outcomeOf } from '../../../platform/outbox/outcome.js';
import { retryWaitMs } from '../../../platform/outbox/retry-schedule.js';
import type { OutboundClient } from '../../../platform/outbound/outbound-client.js';
import { notificationHeaders } from '../../notification/notification-headers.js';
import type { DueDelivery, Held } from '../due-deliveries.js';
import type { Settlement } from '../settlements.js';
import type { Lease } from './lanes.js';
import type { SessionTools } from './session-tools.js';

/** One delivery that is about to be made. */
interface Attempt {
  readonly held: Held;
  readonly delivery: DueDelivery;
  /** By the database's clock. */
  readonly nowMs: number;
  /** Called when there is a connection, before anything is sent. */
  readonly isWanted: () => boolean;
}

/** Makes an attempt; undefined if nothing was sent because it was no longer wanted. */
export function attemptOf(
  { held, delivery, nowMs, isWanted }: Attempt,
  { client, onFault }: Pick<SessionTools, 'client' | 'onFault'>,
): Promise<Attempted<Outcome> | undefined> {
  const { id: deliveryId, format, body, correlationId, shaSecretGeneration } = delivery;
  const make = async (): ReturnType<OutboundClient['exchange']> => {
    const { callback, secrets } = held;
    const atSeconds = Math.floor(nowMs / 1_000);
    const signing = { own: secrets.of(shaSecretGeneration), all: secrets.signing(shaSecretGeneration) };
    const headers = await stepwise(
      notificationHeaders({ format, deliveryId, body, correlationId, atSeconds }, signing),
    );
    return client.exchange({ method: 'POST', url: new URL(callback), headers, body, isWanted });
  };
  return attempted(make, { outcomeOf: (exchange) => outcomeOf(exchange, nowMs), failed: FAILED, onFault });
}

/** The record of an attempt made under the lease, and the resulting state of its delivery (W-7). */
export function settlementOf(
  { subscriptionId, token }: Lease,
  { delivery, nowMs, made }: Pick<Attempt, 'delivery' | 'nowMs'> & { readonly made: Attempted<Outcome> },
  { scheduleSeconds, random }: Pick<SessionTools, 'scheduleSeconds' | 'random'>,
): Settlement {
  const { outcome, note } = made;
  const { id: deliveryId, failures } = delivery;
  const waitMs =
    outcome.kind === 'failed'
      ? retryWaitMs({ failures: failures + 1, scheduleSeconds, jitter: random(), retryAfterMs: outcome.retryAfterMs })
      : undefined;
  const verdict = outcome.kind === 'failed' ? (waitMs === undefined ? 'dead' : 'retry') : outcome.kind;
  return { deliveryId, subscriptionId, token, failures, atMs: nowMs, note, verdict, waitMs: waitMs ?? 0 };
}
