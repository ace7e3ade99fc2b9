import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

/**
 * Resolves after `ms`, once everything that has arrived by then was read: an answer that came in time while the process
 * was busy is not late. Rejects when `signal` aborts.
 */
export async function late(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal });
  await turn(undefined, { signal });
}
