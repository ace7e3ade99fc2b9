import type { IncomingHttpHeaders } from 'node:http';

const MOST_MS = 3_600_000;
/** The three forms of a date in RFC 9110, 5.6.7; `Date` reads each of them. */
const HTTP_DATE = /^(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?,? .*\d{2}:\d{2}:\d{2}/;

/**
 * Milliseconds that an answer asks to wait, at most an hour (W-7); undefined when it asks for nothing. Only 429 and 503 can
 * ask. A date is measured from the answer's own `Date`, so that the two clocks need not agree, or from `nowMs`.
 */
export function retryAfterMs(status: number, headers: IncomingHttpHeaders, nowMs: number): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const asked = headers['retry-after']?.trim() ?? '';
  if (/^\d+$/.test(asked)) return Math.min(Number(asked) * 1_000, MOST_MS);
  const until = instantOf(asked);
  if (until === undefined) return undefined;
  return Math.min(Math.max(until - (instantOf(headers.date ?? '') ?? nowMs), 0), MOST_MS);
}

function instantOf(date: string): number | undefined {
  if (!HTTP_DATE.test(date)) return undefined;
  // The asctime form names no zone; it means UTC.
  const instant = Date.parse(date.endsWith('GMT') ? date : `${date} GMT`);
  return Number.isNaN(instant) ? undefined : instant;
}
