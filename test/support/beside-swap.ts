import pg from 'pg';

import { sql } from '../../src/sql/sql.js';
import { eventually } from './eventually.js';
import type { TestDatabase } from './postgres.js';

/** Those of `SWAPPED_TABLES` that exist without a reindex, in that order. */
const TABLES = 'event, event_search, event_document, facet, facet_bitmap, facet_dirty';

/**
 * Begins `work` while a swap of a reindex keeps writers out; once it waits, the swap takes the tables for itself. Fails
 * if it would have to wait for `work`, as each then waits for the other. Resolves with what `work` does.
 */
export async function besideSwap<T>({ url, database }: TestDatabase, work: () => Promise<T>): Promise<T> {
  const swap = new pg.Client({ connectionString: url });
  await swap.connect();
  try {
    await swap.query(`begin; lock table ${TABLES} in exclusive mode`);
    const working = work();
    working.catch(() => undefined);
    await eventually('it waits for the swap', async () => {
      const waiting = sql`
        select from pg_locks where not granted and locktype = 'relation' and database = (
          select oid from pg_database where datname = current_database())`;
      return (await database.query(waiting)).length > 0;
    });
    await swap.query(`lock table ${TABLES} in access exclusive mode nowait`);
    await swap.query('commit');
    return await working;
  } finally {
    await swap.end();
  }
}
