import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../../kernel/sql/sql.js';

/** `host:port/database`, never the password. */
export function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? (host === '' ? 'localhost' : host)}${pathname}`;
}

/** Unused by other programs. Releases share a database during an upgrade, so a number never changes its meaning. */
export const ADVISORY_LOCKS = {
  /** Serializes migrations (P-7). */
  migration: 7_265_001,
  signingKey: 7_265_002,
  /** Held for a whole reindex. */
  reindex: 7_265_003,
  /** Held by a reindex while it needs the changes of writers, who then fail to share it. */
  listening: 7_265_004,
  reindexRuns: 7_265_012,
  uploads: 7_265_011,
} as const;

export const BITMAPS_LOCK = sql`hashtext('matricula.bitmaps')`;

/** Serializes claims of confirmations, whose concurrency is limited. */
export const CONFIRMATIONS_LOCK = sql`hashtext('matricula.confirmations')`;

export const NOTICES_LOCK = sql`hashtext('matricula.notices')`;

/** Taken by a trigger in every transaction that changes a user. */
export const USERS_LOCK = sql`hashtext('matricula.users')`;

/** First of two keys; the second identifies the process. */
export const LIVING_PROCESSES = 0x4d617472;

/** Milliseconds that a killed process's advisory lock may outlive it. */
const KILLED_LOCK_MS = 5_000;
const AGAIN_MS = 200;

/** Retries while a killed process may still hold the lock; false if not taken. */
export async function takeLock(tryLock: () => Promise<boolean>, patienceMs = KILLED_LOCK_MS): Promise<boolean> {
  const untilMs = performance.now() + patienceMs;
  while (!(await tryLock())) {
    if (performance.now() > untilMs) return false;
    await sleep(AGAIN_MS);
  }
  return true;
}
