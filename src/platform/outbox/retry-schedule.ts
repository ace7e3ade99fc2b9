import type { AnswerHeaders } from '../outbound/exchange.js';

const MOST_MS = 3_600_000;
/** The three forms of a date in RFC 9110, 5.6.7; `Date` reads each of them. */
const HTTP_DATE = /^(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?,? .*\d{2}:\d{2}:\d{2}/;

/**
 * Milliseconds that an answer asks to wait, at most an hour (W-7); undefined if it does not ask. Only 429 and 503 can
 * ask. A date is measured from the answer's own `Date`, so that the two clocks need not agree, or from `nowMs`. Of
 * several `Retry-After` headers the longest counts, so that no attempt comes earlier than asked for.
 */
export function retryAfterMs(status: number, headers: AnswerHeaders, nowMs: number): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const [date = ''] = valuesOf(headers.date);
  const fromMs = instantOf(date.trim()) ?? nowMs;
  const waits = valuesOf(headers['retry-after']).flatMap((asked) => waitOf(asked.trim(), fromMs) ?? []);
  return waits.length === 0 ? undefined : Math.min(Math.max(...waits), MOST_MS);
}

const valuesOf = (header: string | string[] | undefined): readonly string[] => [header ?? []].flat();

function waitOf(asked: string, fromMs: number): number | undefined {
  if (/^\d+$/.test(asked)) return Number(asked) * 1_000;
  const until = instantOf(asked);
  return until === undefined ? undefined : Math.max(until - fromMs, 0);
}

function instantOf(date: string): number | undefined {
  if (!HTTP_DATE.test(date)) return undefined;
  // The asctime form has no zone; it means UTC.
  const instant = Date.parse(date.endsWith('GMT') ? date : `${date} GMT`);
  return Number.isNaN(instant) ? undefined : instant;
}

const SPREAD = 0.2;

export interface RetryQuestion {
  /** Failed attempts so far, including the latest: at least 1. */
  readonly failures: number;
  /** `WEBHOOK_RETRY_SECONDS`. */
  readonly scheduleSeconds: readonly number[];
  /** In `[0, 1)`: the position of the wait within the spread of ±20 %. */
  readonly jitter: number;
  /** As the other side asked, in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/** Milliseconds until the next attempt (W-7), never earlier than asked for; undefined: dead. */
export function retryWaitMs({
  failures,
  scheduleSeconds,
  jitter,
  retryAfterMs = 0,
}: RetryQuestion): number | undefined {
  const seconds = scheduleSeconds[failures - 1];
  if (seconds === undefined) return undefined;
  const spread = 1 - SPREAD + 2 * SPREAD * jitter;
  return Math.max(Math.round(seconds * 1_000 * spread), retryAfterMs);
}
