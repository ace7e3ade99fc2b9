import { setTimeout as sleep } from 'node:timers/promises';
import { BITMAPS_LOCK } from '../../platform/database/connection/advisory-locks.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import { catchUp, catchUpNearly, type NearCatchUp } from './catch-up.js';
import { isLockRefused, limitLockWaits } from './patient-locks.js';
import { type ShadowTables, SWAPPED_TABLES } from './shadow-tables.js';

/** How long writers wait at most, for other writers to end and for their changes to be derived. */
const WRITERS_WAIT_MS = 2_000;
const CATCH_UP_MS = 3_000;
/** How long searches wait behind a long one: doubled with each attempt. */
const SEARCHES_WAIT_MS = 100;
const SEARCHES_WAIT_MOST_MS = 1_000;
const PAUSE_MS = 500;

interface Swap extends NearCatchUp {
  readonly tables: ShadowTables;
}

/**
 * Replaces the tables that searches read by the new ones, in one transaction: a search sees either all old or all new
 * ones. Writers are kept out while the last changes are derived, searches only during the renaming. It tries until it
 * succeeds, and no wait is long enough for others to pile up behind; `onRefused` gets the number of failed attempts.
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
  // To build a part of many bitmaps takes seconds: nobody waits behind the wait for it, as no table is locked yet.
  await session.query(sql`select pg_advisory_xact_lock(${BITMAPS_LOCK})`);
  // Autovacuum gives way to this one, and blocks nobody meanwhile.
  await session.query(sql`lock table ${SWAPPED_TABLES} in share update exclusive mode`);
  // Writers lock their events first: none that has begun is unable to continue.
  await session.query(sql`lock table ${SWAPPED_TABLES} in exclusive mode`);
  await catchUp(session, writer, performance.now() + CATCH_UP_MS);
  // What was derived so far is kept; writers get their turn, and less is left for the next attempt.
  if ((await changes.count()) > 0) return 'behind';
  if (!(await tables.areStillAlike())) {
    throw new ServiceError('CONFLICT', 'The schema was changed during the reindex: run it again.');
  }
  await limitLockWaits(session, Math.min(SEARCHES_WAIT_MS * 2 ** attempt, SEARCHES_WAIT_MOST_MS));
  await session.query(sql`lock table ${SWAPPED_TABLES} in access exclusive mode`);
  await tables.takeOver();
  return 'swapped';
}
