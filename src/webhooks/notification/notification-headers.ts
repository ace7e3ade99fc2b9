import { createHmac } from 'node:crypto';
import { MIB } from '../../kernel/domain/bytes.js';
import type { Secret } from '../../platform/config/secret.js';
import type { Steps } from '../../platform/queue/time-slice.js';

/** Compact ASCII JSON: every code unit from U+0080 on is `\uXXXX` with lower-case hex (W-4). */
export const escapedJson = (value: unknown): string => escaped(JSON.stringify(value));

const escaped = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** `opencrvs-1x` is that of releases 1.x, for existing receivers; `hub.format` selects it. */
export const NOTIFICATION_FORMATS = ['standard', 'opencrvs-1x'] as const;

/** W-14. */
export type NotificationFormat = (typeof NOTIFICATION_FORMATS)[number];

/** Byte for byte. Each step takes at most some ten milliseconds: a context has up to eleven million characters. */
export function* contextText(context: unknown, format: NotificationFormat): Steps<string> {
  const json = JSON.stringify(context);
  if (format !== 'standard') return json;
  yield;
  return escaped(json);
}

const hmac = (algorithm: 'sha1' | 'sha256', key: Secret): ReturnType<typeof createHmac> =>
  createHmac(algorithm, key.reveal());

/** `hmac`, over the compact, escaped JSON of `context[0]` (W-5). */
export const contextSignature = (contextJson: string, key: Secret): string =>
  `sha256=${hmac('sha256', key).update(contextJson).digest('hex')}`;

/** `X-Hub-Signature` and `X-Hub-Signature-256`, over the raw body (W-5). */
const bodySignature = (algorithm: 'sha1' | 'sha256', body: Buffer, key: Secret): string =>
  `${algorithm}=${hmac(algorithm, key).update(body).digest('hex')}`;

/** `webhook-signature` of Standard Webhooks 1.0: over id, time and raw body. */
const standardSignature = (id: string, atSeconds: number, body: Buffer, key: Secret): string =>
  `v1,${hmac('sha256', key).update(`${id}.${atSeconds}.`).update(body).digest('base64')}`;

/** In characters: takes some milliseconds. */
const ENCODED_AT_ONCE = MIB / 2;

/**
 * `X-Hub-Signature` of releases 1.x: over the algorithm's name and the URI-encoded body. Encoding the largest body at
 * once would block the thread (Q-1).
 */
export function* release1Signature(body: Buffer, key: Secret): Steps<string> {
  const signed = hmac('sha256', key).update('sha256:');
  const text = body.toString('utf8');
  for (let begin = 0, end; begin < text.length; begin = end) {
    yield;
    end = begin + ENCODED_AT_ONCE;
    // Keeps surrogate pairs together.
    if (isHighSurrogate(text.charCodeAt(end - 1))) end += 1;
    signed.update(encodeURIComponent(text.slice(begin, end)));
  }
  return `sha256=${signed.digest('hex')}`;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

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
