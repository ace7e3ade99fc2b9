import { setTimeout as sleep } from 'node:timers/promises';

import { isSqlError } from '../../kernel/errors/sql-state.js';
import { sql } from '../../kernel/sql/sql.js';
import type { ReindexSession } from './reindex-session.js';

/** A lock timeout or a deadlock. */
export const isLockRefused = (error: unknown): boolean => isSqlError(error, 'lockNotAvailable', 'deadlockDetected');

/** Per lock, since others queue behind it. */
export const limitLockWaits = (session: ReindexSession, milliseconds: number) =>
  session.query(sql`select set_config('lock_timeout', ${`${milliseconds}ms`}, true)`);

const PATIENCE_MS = 500;
const PAUSE_MS = 250;

interface Patience {
  readonly mostAttempts?: number;
  /** Gets the failed attempts: see `atFirst`. */
  readonly onRefused?: (attempts: number) => void;
}

/** Reports the first failures, then ever fewer. */
export const atFirst =
  (tell: (attempts: number) => void) =>
  (attempts: number): void => {
    if (Number.isInteger(Math.log2(attempts))) tell(attempts);
  };

/** Repeats a transaction until it gets its locks without a long wait, or the attempts are used up. */
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
