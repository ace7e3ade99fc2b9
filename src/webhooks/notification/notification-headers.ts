import type { Secret } from '../../platform/config/secret.js';
import type { Steps } from '../../platform/queue/time-slice.js';
import type { NotificationFormat } from './notification-format.js';
import { bodySignature, release1Signature, standardSignature } from './signatures.js';

/** One attempt to deliver a notification. */
export interface Attempt {
  readonly format: NotificationFormat;
  readonly deliveryId: string;
  readonly body: Buffer;
  /** When the attempt is made, in seconds since the epoch. */
  readonly atSeconds: number;
  readonly correlationId: string;
}

/** The secrets that sign an attempt (W-15). */
export interface SigningSecrets {
  /** The one under which the notification was created. */
  readonly own: Secret;
  /** Each makes a `webhook-signature`: its own, and those that receivers may have instead. */
  readonly all: readonly Secret[];
}

/**
 * The headers of one attempt (W-5) beside `ownHeaders`, signed with the client's `sha_secret`. Receivers of the format `opencrvs-1x` look
 * for upstream's signature in `X-Hub-Signature-256` too, so the signature over the raw body cannot be there. Each step
 * takes some milliseconds for the largest body.
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
