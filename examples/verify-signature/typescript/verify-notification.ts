import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A timestamp further from our clock is refused, so that nobody can send a recorded notification again later. */
const TOLERANCE_SECONDS = 300;

/** Whether the notification was signed with `shaSecret` in the last minutes. `body`: the raw bytes, not parsed. */
export function isGenuine(
  headers: IncomingHttpHeaders,
  body: Buffer,
  shaSecret: string,
  nowSeconds = Date.now() / 1_000,
): boolean {
  const id = String(headers['webhook-id']);
  const timestamp = String(headers['webhook-timestamp']);
  if (!/^\d{1,15}$/.test(timestamp) || Math.abs(nowSeconds - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const digest = createHmac('sha256', shaSecret).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const signatures = String(headers['webhook-signature']).split(' ');
  return signatures.some((signature) => isEqual(signature, `v1,${digest}`));
}

/** Whether `context[0]` is what `hmac` in the body says; for use where the headers were lost on the way. */
export function isContextGenuine(body: Buffer, shaSecret: string): boolean {
  // Neither pattern can match inside a JSON string, where quotes are escaped.
  const text = body.toString('latin1');
  const [, before, context] = /^(.*?)"context":\[(.*)\]\}$/.exec(text) ?? [];
  const [, hmac] = /"hmac":"([^"]*)"/.exec(before ?? '') ?? [];
  if (context === undefined || hmac === undefined) return false;
  return isEqual(hmac, `sha256=${createHmac('sha256', shaSecret).update(context, 'latin1').digest('hex')}`);
}

/** Takes the same time wherever the two differ. */
function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
