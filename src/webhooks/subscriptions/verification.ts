import { randomBytes } from 'node:crypto';

import { isObject } from '../../kernel/input/is-object.js';
import { jsonValue } from '../../kernel/input/json-value.js';
import { noteOf } from '../../platform/outbox/outcome.js';
import type { Exchange } from '../../platform/outbound/exchange.js';

/** 192 random bits in hex, which repeated decoding does not change (W-2). */
export const newChallenge = (): string => randomBytes(24).toString('hex');

/** The callback's own query stays as written. */
export function verificationUrl(callback: URL, topic: string, challenge: string): URL {
  const url = new URL(callback);
  const parameters = new URLSearchParams({ mode: 'subscribe', challenge, topic }).toString();
  url.search = url.search === '' ? parameters : `${url.search}&${parameters}`;
  return url;
}

/** Undefined for a 2xx answer whose JSON, under any content type, has exactly the challenge (W-2). */
export function disagreement(exchange: Exchange, challenge: string): string | undefined {
  if (exchange.kind === 'withdrawn') return 'the service is stopping';
  if (exchange.kind !== 'answered') return `no answer (${noteOf(exchange).error ?? exchange.kind})`;
  const { status, headers, body, whole } = exchange;
  if (status < 200 || status > 299) return `the answer has the status ${status}`;
  if (!whole) return 'the answer is too long, too slow or broken off';
  const answer = jsonValue(new TextDecoder().decode(body));
  if (isObject(answer)) return answer['challenge'] === challenge ? undefined : 'the answer does not have the challenge';
  const isCompressed = headers['content-encoding'] !== undefined;
  return isCompressed ? 'the answer is compressed, which was not asked for' : 'the answer is no JSON object';
}
