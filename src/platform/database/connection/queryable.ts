import { asError } from '../../../kernel/errors/service-error.js';
import { isSqlError } from '../../../kernel/errors/sql-state.js';
import type { Sql } from '../../../kernel/sql/sql.js';

export interface Queryable {
  query<Row>(statement: Sql): Promise<Row[]>;
}

/**
 * Awaits pipelined statements or separate connections to their end, then throws the first cause rather than a
 * consequence.
 */
export async function together<const T extends readonly unknown[]>(
  ...sent: T
): Promise<{ -readonly [Key in keyof T]: Awaited<T[Key]> }> {
  const ended = await Promise.allSettled(sent);
  const failures = ended.flatMap((one): readonly unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  if (failures.length > 0) throw failures.find((error) => !isBecauseOfAnother(error)) ?? failures[0];
  return Promise.all(sent);
}

/** Raised by every statement after a failed one in a transaction. */
const isBecauseOfAnother = (error: unknown): boolean => isSqlError(error, 'inFailedSqlTransaction');

/** Ends this wait alone, with the reason of `signal`. */
export function unlessAborted<T>(waitedFor: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return waitedFor;
  return new Promise((resolve, reject) => {
    const abandon = (): void => {
      reject(asError(signal.reason));
    };
    if (signal.aborted) abandon();
    signal.addEventListener('abort', abandon, { once: true });
    waitedFor.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abandon);
    });
  });
}

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

const ATTEMPTS = 10;

/** Repeats a transaction or single statement that Postgres aborted to break a deadlock. */
export async function retryingDeadlocks<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (!isSqlError(error, 'deadlockDetected') || attempt === ATTEMPTS) throw error;
    }
  }
}
