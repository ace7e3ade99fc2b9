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

/**
 * Milliseconds until the next attempt; undefined when the schedule is exhausted and the delivery is dead (W-7). Never
 * earlier than the other side asked for.
 */
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
