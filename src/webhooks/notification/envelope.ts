import type { Instant } from '../../kernel/domain/calendar.js';
import { absurd } from '../../kernel/errors/service-error.js';
import type { Topic } from '../../kernel/domain/life-cycle/topic.js';
import { escapedJson, type NotificationFormat } from './notification-headers.js';

export interface Notice {
  readonly format: NotificationFormat;
  /** `payload.id`: the same in every attempt and replay. */
  readonly deliveryId: string;
  readonly subscriptionId: string;
  readonly topic: Topic;
  readonly callback: string;
  readonly createdAt: Instant;
}

export interface Envelope {
  readonly head: string;
  readonly tail: string;
}

const STANDARD_TAIL = ']}';

const endOfHead = (signature: string): string => `,"hmac":"${signature}","context":[`;

const UNSIGNED = endOfHead('');

/**
 * `sign` makes the signature if the format has one (`contextSignature`). With the context (`contextText`), the result
 * is sent byte for byte, with keys in the order of W-4, and stored.
 */
export function envelopeOf(notice: Notice, sign: () => string): Envelope {
  const { format, deliveryId, subscriptionId, topic, callback, createdAt } = notice;
  switch (format) {
    case 'standard': {
      const timestamp = createdAt.replace('Z', '+00:00');
      const payload = escapedJson({ id: deliveryId, timestamp, event: { hub: { topic } } });
      const url = escapedJson(callback);
      return {
        head: `{"payload":${payload},"url":${url}${endOfHead(sign())}`,
        tail: STANDARD_TAIL,
      };
    }
    case 'opencrvs-1x': {
      const id = JSON.stringify(subscriptionId);
      return {
        head: `{"timestamp":"${createdAt}","id":${id},"event":{"hub":{"topic":"${topic}"},"context":[`,
        tail: ']}}',
      };
    }
    default:
      return absurd(format);
  }
}

/** A format without a signature in its body is unchanged. */
export function signedLater(
  { head, body }: { readonly head: string; readonly body: string },
  sign: (context: string) => string,
): { readonly head: string; readonly body: string } {
  if (!head.endsWith(UNSIGNED)) return { head, body };
  const context = body.slice(head.length, -STANDARD_TAIL.length);
  const signed = `${head.slice(0, -UNSIGNED.length)}${endOfHead(sign(context))}`;
  return { head: signed, body: signed + body.slice(head.length) };
}

/** A stored notification keeps its format (W-4), which the beginning of its body tells. */
export const formatOfBody = (body: string): NotificationFormat =>
  body.startsWith('{"payload":') ? 'standard' : 'opencrvs-1x';

/** In UTF-8. */
export const bodyOf = ({ head, tail }: Envelope, context: string): Buffer => Buffer.from(`${head}${context}${tail}`);
