import type { Sql } from '../../../kernel/sql/sql.js';
import type { Queryable } from './queryable.js';

/** How many rows one statement changes: it locks few rows, and for milliseconds. */
const PORTION = 1_000;

/**
 * Changes many rows, some at a time: runs the statement that `changing` makes, which changes at most so many rows and
 * returns one for each, until it finds fewer or `signal` aborts. Resolves with how many it has changed.
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
