import { isSqlError } from '../../../kernel/errors/sql-state.js';

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
