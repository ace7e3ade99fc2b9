import type { Sql } from '../../../kernel/sql/sql.js';
import type { Queryable } from './queryable.js';

/** Rows changed by one statement: few locks, for milliseconds. */
const PORTION = 1_000;

/**
 * Repeats `changing`'s statement, which returns a row per change, until it finds fewer or `signal` aborts. Resolves
 * with the number of changes.
 */
export async function inPortions(
  database: Queryable,
  changing: (most: number) => Sql,
  signal: AbortSignal | undefined,
): Promise<number> {
  const statement = changing(PORTION);
  for (let all = 0; ;) {
    const { length } = await database.query(statement);
    all += length;
    if (length < PORTION || signal?.aborted === true) return all;
  }
}
