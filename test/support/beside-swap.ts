import pg from 'pg';

import { untilLocksAreAwaited } from './database-activity.js';
import type { TestDatabase } from './postgres.js';

/** Those of `SWAPPED_TABLES` that exist without a reindex, in that order. */
const TABLES = 'event, event_search, event_document, bitmap, bitmap_chunk, bitmap_dirty';

/**
 * Begins `work` while a swap of a reindex keeps writers out; once it waits, the swap takes the tables for itself. Fails
 * if it has to wait for `work`: each then waits for the other, which the server ends. Resolves with what `work` does.
 */
export async function besideSwap<T>({ url, database }: TestDatabase, work: () => Promise<T>): Promise<T> {
  const swap = new pg.Client({ connectionString: url });
  await swap.connect();
  try {
    await swap.query(`begin; lock table ${TABLES} in exclusive mode`);
    const working = work();
    working.catch(() => undefined);
    await untilLocksAreAwaited(database, 1, 'relation');
    // Not `nowait`: before PostgreSQL 17 that gives up since somebody waits, though he waits for this transaction.
    await swap.query(`lock table ${TABLES} in access exclusive mode`);
    await swap.query('commit');
    return await working;
  } finally {
    await swap.end();
  }
}
