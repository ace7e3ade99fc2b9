import { setTimeout as sleep } from 'node:timers/promises';
import { BITMAPS_LOCK } from '../../platform/database/connection/advisory-locks.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import { catchUp, catchUpNearly, type NearCatchUp } from './catch-up.js';
import { isLockRefused, limitLockWaits } from './patient-locks.js';
import { type ShadowTables, SWAPPED_TABLES } from './shadow-tables.js';

/** For writers, at most. */
const WRITERS_WAIT_MS = 2_000;
const CATCH_UP_MS = 3_000;
/** For searches; doubled with each attempt. */
const SEARCHES_WAIT_MS = 100;
const SEARCHES_WAIT_MOST_MS = 1_000;
const PAUSE_MS = 500;

interface Swap extends NearCatchUp {
  readonly tables: ShadowTables;
}

/**
 * In one transaction: a search sees all old or all new tables. Writers are blocked during the last changes, searches
 * during the renaming. Tries until it succeeds, with short waits; `onRefused` gets the number of failed attempts.
 */
export async function swap(parts: Swap, onRefused: (attempts: number) => void): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      if ((await parts.session.transaction(() => attemptSwap(parts, attempt))) === 'swapped') return;
      await catchUpNearly(parts);
      continue;
    } catch (error) {
      if (!isLockRefused(error)) throw error;
    }
    onRefused(attempt + 1);
    await sleep(PAUSE_MS);
    await catchUpNearly(parts);
  }
}

async function attemptSwap({ session, tables, changes, writer }: Swap, attempt: number): Promise<'swapped' | 'behind'> {
  await limitLockWaits(session, WRITERS_WAIT_MS);
  // Before any table lock, as bitmaps may take seconds.
  await session.query(sql`select pg_advisory_xact_lock(${BITMAPS_LOCK})`);
  // Makes autovacuum yield, and blocks nobody.
  await session.query(sql`lock table ${SWAPPED_TABLES} in share update exclusive mode`);
  // Writers that lock events first are not blocked.
  await session.query(sql`lock table ${SWAPPED_TABLES} in exclusive mode`);
  await catchUp(session, writer, performance.now() + CATCH_UP_MS);
  // Progress is kept for the next attempt.
  if ((await changes.count()) > 0) return 'behind';
  if (!(await tables.areStillAlike())) {
    throw new ServiceError('CONFLICT', 'The schema was changed during the reindex: run it again.');
  }
  await limitLockWaits(session, Math.min(SEARCHES_WAIT_MS * 2 ** attempt, SEARCHES_WAIT_MOST_MS));
  await session.query(sql`lock table ${SWAPPED_TABLES} in access exclusive mode`);
  await tables.takeOver();
  return 'swapped';
}
