import { createHmac } from 'node:crypto';

import type { Secret } from '../../platform/config/secret.js';
import type { Steps } from '../../platform/queue/time-slice.js';
import { MIB } from '../../kernel/domain/bytes.js';

const hmac = (algorithm: 'sha1' | 'sha256', key: Secret): ReturnType<typeof createHmac> =>
  createHmac(algorithm, key.reveal());

/** `hmac`, over the compact, escaped JSON of `context[0]` (W-5). */
export const contextSignature = (contextJson: string, key: Secret): string =>
  `sha256=${hmac('sha256', key).update(contextJson).digest('hex')}`;

/** `X-Hub-Signature` and `X-Hub-Signature-256`, over the raw body (W-5). */
export const bodySignature = (algorithm: 'sha1' | 'sha256', body: Buffer, key: Secret): string =>
  `${algorithm}=${hmac(algorithm, key).update(body).digest('hex')}`;

/** `webhook-signature` of Standard Webhooks 1.0: over id, time and raw body. */
export const standardSignature = (id: string, atSeconds: number, body: Buffer, key: Secret): string =>
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
