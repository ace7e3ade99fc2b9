import type { Secret } from '../../config/secret.js';
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
  /** `Matricula/<version>`. */
  readonly userAgent: string;
}

/**
 * The headers of one attempt (W-5), signed with the client's `sha_secret`. Receivers of the format `opencrvs-1x` look for
 * upstream's signature in `X-Hub-Signature-256` too, so that the one over the raw body has no place there.
 */
export function notificationHeaders(attempt: Attempt, key: Secret): Readonly<Record<string, string>> {
  const { format, deliveryId, body, atSeconds, correlationId, userAgent } = attempt;
  const hub =
    format === 'standard'
      ? {
          'x-hub-signature': bodySignature('sha1', body, key),
          'x-hub-signature-256': bodySignature('sha256', body, key),
        }
      : { 'x-hub-signature': release1Signature(body, key) };
  return {
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...hub,
    'webhook-id': deliveryId,
    'webhook-timestamp': String(atSeconds),
    'webhook-signature': standardSignature(deliveryId, atSeconds, body, key),
    'x-correlation-id': correlationId,
  };
}
