import { setTimeout as sleep } from 'node:timers/promises';

import { isSqlError } from '../../kernel/errors/sql-state.js';
import { sql } from '../../kernel/sql/sql.js';
import type { ReindexSession } from './reindex-session.js';

/** Whether a lock was not available in time, or waiting for it caused a deadlock. */
export const isLockRefused = (error: unknown): boolean => isSqlError(error, 'lockNotAvailable', 'deadlockDetected');

/** Until the end of the transaction, limits the wait for each lock: others queue behind whoever waits. */
export const limitLockWaits = (session: ReindexSession, milliseconds: number) =>
  session.query(sql`select set_config('lock_timeout', ${`${milliseconds}ms`}, true)`);

const PATIENCE_MS = 500;
const PAUSE_MS = 250;

interface Patience {
  readonly mostAttempts?: number;
  /** Is told how many attempts have failed: see `atFirst`. */
  readonly onRefused?: (attempts: number) => void;
}

/** Tells of the first attempts that fail, and then ever less often: others may need hours. */
export const atFirst =
  (tell: (attempts: number) => void) =>
  (attempts: number): void => {
    if (Number.isInteger(Math.log2(attempts))) tell(attempts);
  };

/**
 * Runs a transaction whose locks block others: repeatedly, until it gets them all without a long wait, or the attempts
 * are used up.
 */
export async function withShortWaits(
  session: ReindexSession,
  work: () => Promise<void>,
  { mostAttempts = Infinity, onRefused = () => undefined }: Patience = {},
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await session.transaction(async () => {
        await limitLockWaits(session, PATIENCE_MS);
        await work();
      });
      return;
    } catch (error) {
      if (!isLockRefused(error) || attempt >= mostAttempts) throw error;
    }
    onRefused(attempt);
    await sleep(PAUSE_MS);
  }
}
