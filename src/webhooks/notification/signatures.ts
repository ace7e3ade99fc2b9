import { createHmac } from 'node:crypto';

import type { Secret } from '../../config/secret.js';

const hmac = (algorithm: 'sha1' | 'sha256', key: Secret): ReturnType<typeof createHmac> =>
  createHmac(algorithm, key.reveal());

/** `hmac` of a body: over the compact, escaped JSON of `context[0]` (interface, Signature verification). */
export const contextSignature = (contextJson: string, key: Secret): string =>
  `sha256=${hmac('sha256', key).update(contextJson).digest('hex')}`;

/** `X-Hub-Signature` and `X-Hub-Signature-256`, over the raw body (W-5). */
export const bodySignature = (algorithm: 'sha1' | 'sha256', body: Buffer, key: Secret): string =>
  `${algorithm}=${hmac(algorithm, key).update(body).digest('hex')}`;

/** `webhook-signature` of Standard Webhooks 1.0: over id, time and raw body. */
export const standardSignature = (id: string, atSeconds: number, body: Buffer, key: Secret): string =>
  `v1,${hmac('sha256', key).update(`${id}.${atSeconds}.`).update(body).digest('base64')}`;

/** `X-Hub-Signature` as releases 1.x made it: over the name of the algorithm and the URI-encoded body. */
export const release1Signature = (body: Buffer, key: Secret): string =>
  `sha256=${hmac('sha256', key)
    .update(`sha256:${encodeURIComponent(body.toString('utf8'))}`)
    .digest('hex')}`;
