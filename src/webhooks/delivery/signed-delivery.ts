import type { Secret } from '../../platform/config/secret.js';
import { toInstant } from '../../kernel/domain/calendar.js';
import { newUuid } from '../../kernel/domain/uuid.js';
import { envelopeOf } from '../notification/envelope.js';
import { contextSignature } from '../notification/signatures.js';
import { type ContextRow, type DeliveryRow, NOT_SIGNED } from './outbox-writer.js';
import type { TopicalChange } from './published-change.js';
import type { Subscriber } from './subscriber.js';

/** Signs each context once with each secret. */
export function signedOnce(): (context: string, secret: Secret) => string {
  const made = new Map<Secret, Map<string, string>>();
  return (context, secret) => {
    const ofSecret = made.get(secret) ?? new Map<string, string>();
    made.set(secret, ofSecret);
    const signature = ofSecret.get(context) ?? contextSignature(context, secret);
    ofSecret.set(context, signature);
    return signature;
  };
}

/**
 * The delivery of a change to a subscriber; `sign` makes the signature of a context, or is undefined if the secret
 * cannot be read.
 */
export function deliveryOf(
  subscriber: Subscriber,
  { record, topic, correlationId }: TopicalChange & { readonly correlationId: string },
  context: ContextRow,
  sign: ((text: string) => string) | undefined,
): DeliveryRow {
  const { id: subscriptionId, callback, format, shaSecretGeneration, now } = subscriber;
  const id = newUuid();
  const notice = { format, deliveryId: id, subscriptionId, topic, callback, createdAt: toInstant(now) };
  const { head, tail } = envelopeOf(notice, () => sign?.(context.body) ?? '');
  return {
    id,
    subscriptionId,
    eventId: record.id,
    contextId: context.id,
    head,
    tail,
    status: subscriber.status === 'active' ? 'pending' : 'dead',
    shaSecretGeneration: sign === undefined ? NOT_SIGNED : shaSecretGeneration,
    correlationId,
  };
}
