import { type RetryQuestion, retryWaitMs } from '../../platform/outbox/retry-schedule.js';

/** What the next attempt to send a notice depends on. */
interface NoticeQuestion extends RetryQuestion {
  /** Until it expires. */
  readonly leftMs: number;
}

/**
 * Milliseconds until the next attempt, on the schedule of webhooks (W-7), but never more than half of the time that is
 * left: a code that is good for ten minutes is not sent again after an hour. Undefined when the schedule is exhausted.
 */
export function noticeWaitMs({ leftMs, retryAfterMs = 0, ...question }: NoticeQuestion): number | undefined {
  const scheduledMs = retryWaitMs({ ...question, retryAfterMs: undefined });
  if (scheduledMs === undefined) return undefined;
  return Math.max(Math.min(scheduledMs, Math.round(Math.max(0, leftMs) / 2)), retryAfterMs);
}
