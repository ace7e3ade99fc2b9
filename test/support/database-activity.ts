import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { eventually } from './eventually.js';

/**
 * Waits until so many statements of the database sleep. One that is active may still be read, and is not cancelled
 * then: a server ignores what comes while it waits for its client.
 */
export const untilAsleep = (database: Queryable, count: number): Promise<void> =>
  eventually(`${count} statements sleep`, async () => {
    const asleep = await database.query(sql`
      select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`);
    return asleep.length === count;
  });

/**
 * Waits until nothing but this question runs on the database. PostgreSQL sends the error of a statement shortly before
 * its connection counts as idle.
 */
export const untilNothingRuns = (database: Queryable): Promise<void> =>
  eventually('nothing runs', async () => {
    const running = await database.query(sql`
      select from pg_stat_activity
       where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`);
    return running.length === 0;
  });

/**
 * Waits until so many connections of the database, or more, wait for a lock: of any kind, unless it is given. Those of
 * other databases do not count: other tests work on the same server, on tables with the same object ids. `database`
 * must not be a transaction, which sees the activity of its first look time and again.
 */
export const untilLocksAreAwaited = (
  database: Queryable,
  count = 1,
  kind: 'advisory' | 'relation' | null = null,
): Promise<void> =>
  eventually(`${count} connections wait for a lock`, async () => {
    const waiting = await database.query(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and wait_event = coalesce(${kind}::text, wait_event)`);
    return waiting.length >= count;
  });
