import { isSqlError } from '../../../kernel/errors/sql-state.js';

/**
 * The results of what was begun without waiting for each: statements one behind the other on one connection, or work on
 * connections of its own. When all have ended, throws what failed first, rather than what failed because of it.
 */
export async function together<const T extends readonly unknown[]>(
  ...sent: T
): Promise<{ -readonly [Key in keyof T]: Awaited<T[Key]> }> {
  const ended = await Promise.allSettled(sent);
  const failures = ended.flatMap((one): readonly unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  if (failures.length > 0) throw failures.find((error) => !isBecauseOfAnother(error)) ?? failures[0];
  return Promise.all(sent);
}

/** Every statement that follows a failed one in a transaction fails so. */
const isBecauseOfAnother = (error: unknown): boolean => isSqlError(error, 'inFailedSqlTransaction');
