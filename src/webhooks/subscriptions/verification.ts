import { randomBytes } from 'node:crypto';

import { isObject } from '../../input/is-object.js';
import { jsonValue } from '../../input/json-value.js';
import type { Exchange } from '../../outbound/http/exchange.js';

/** 192 random bits in hex: every receiver reads it the same, however often it decodes it (W-2). */
export const newChallenge = (): string => randomBytes(24).toString('hex');

/** The callback with the parameters of a verification request appended to its own query, which stays as written. */
export function verificationUrl(callback: URL, topic: string, challenge: string): URL {
  const url = new URL(callback);
  const parameters = new URLSearchParams({ mode: 'subscribe', challenge, topic }).toString();
  url.search = url.search === '' ? parameters : `${url.search}&${parameters}`;
  return url;
}

/** Whether the subscriber agreed: a 2xx answer whose JSON, under any content type, has exactly the challenge (W-2). */
export function isAgreement(exchange: Exchange, challenge: string): boolean {
  if (exchange.kind !== 'answered' || exchange.status < 200 || exchange.status > 299 || !exchange.whole) return false;
  const answer = jsonValue(new TextDecoder().decode(exchange.body));
  return isObject(answer) && answer['challenge'] === challenge;
}
