import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Further from our clock than this, a notification is refused: what somebody has recorded cannot be sent again later. */
const TOLERANCE_SECONDS = 300;

/** Whether the notification was signed with `shaSecret`, and just now. `body`: the bytes as they came, not parsed. */
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

/** Whether `context[0]` is what `hmac` in the body says: for where the headers are lost on the way. */
export function isContextGenuine(body: Buffer, shaSecret: string): boolean {
  // Neither can stand inside a string of JSON, where quotes are escaped.
  const text = body.toString('latin1');
  const [, before, context] = /^(.*?)"context":\[(.*)\]\}$/.exec(text) ?? [];
  const [, hmac] = /"hmac":"([^"]*)"/.exec(before ?? '') ?? [];
  if (context === undefined || hmac === undefined) return false;
  return isEqual(hmac, `sha256=${createHmac('sha256', shaSecret).update(context, 'latin1').digest('hex')}`);
}

/** Takes as long wherever the two differ. */
function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
