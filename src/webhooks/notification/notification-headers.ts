import type { Secret } from '../../platform/config/secret.js';
import type { Steps } from '../../platform/queue/time-slice.js';
import type { NotificationFormat } from './notification-format.js';
import { bodySignature, release1Signature, standardSignature } from './signatures.js';

export interface Attempt {
  readonly format: NotificationFormat;
  readonly deliveryId: string;
  readonly body: Buffer;
  /** In seconds since the epoch. */
  readonly atSeconds: number;
  readonly correlationId: string;
}

/** W-15. */
export interface SigningSecrets {
  /** The notification was created under it. */
  readonly own: Secret;
  /** Each makes a `webhook-signature`, including those that receivers may have instead of `own`. */
  readonly all: readonly Secret[];
}

/**
 * Signed with the client's `sha_secret` (W-5). Receivers of `opencrvs-1x` expect upstream's signature in
 * `X-Hub-Signature-256` instead of the raw body's. Each step takes some milliseconds at most.
 */
export function* notificationHeaders(
  attempt: Attempt,
  { own, all }: SigningSecrets,
): Steps<Readonly<Record<string, string>>> {
  const { format, deliveryId, body, atSeconds, correlationId } = attempt;
  const hub: Record<string, string> = {};
  if (format === 'standard') {
    hub['x-hub-signature'] = bodySignature('sha1', body, own);
    yield;
    hub['x-hub-signature-256'] = bodySignature('sha256', body, own);
  } else {
    hub['x-hub-signature'] = yield* release1Signature(body, own);
  }
  const standard: string[] = [];
  for (const key of all) {
    yield;
    standard.push(standardSignature(deliveryId, atSeconds, body, key));
  }
  return {
    'content-type': 'application/json',
    ...hub,
    'webhook-id': deliveryId,
    'webhook-timestamp': String(atSeconds),
    'webhook-signature': standard.join(' '),
    'x-correlation-id': correlationId,
  };
}
