import { setTimeout as sleep } from 'node:timers/promises';

import { errorCode } from '../errors/error-code.js';
import { sql } from '../sql/sql.js';
import type { ReindexSession } from './reindex-session.js';

/** It was not available in time, or the wait for it was in a circle. */
const REFUSED = new Set(['55P03', '40P01']);

/** Whether a lock was not to be had in time. */
export const isLockRefused = (error: unknown): boolean => REFUSED.has(errorCode(error) ?? '');

/** From here to the end of the transaction no lock is waited for any longer: others wait behind whoever waits. */
export const waitAtMost = (session: ReindexSession, milliseconds: number) =>
  session.query(sql`select set_config('lock_timeout', ${`${milliseconds}ms`}, true)`);

const PATIENCE_MS = 500;
const PAUSE_MS = 250;

/**
 * A transaction whose locks stand in the way of others: tried until it gets them all without a long wait, or so many times
 * in vain.
 */
export async function withShortWaits(
  session: ReindexSession,
  work: () => Promise<void>,
  mostAttempts = Infinity,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await session.transaction(async () => {
        await waitAtMost(session, PATIENCE_MS);
        await work();
      });
      return;
    } catch (error) {
      if (!isLockRefused(error) || attempt >= mostAttempts) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
