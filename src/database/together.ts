import { errorCode } from '../errors/error-code.js';

/** Of every statement that follows a failed one in a transaction. */
const IN_FAILED_TRANSACTION = '25P02';

/**
 * The results of what was begun without waiting for each: statements one behind the other on one connection, or work on
 * connections of its own. When all have ended, throws what failed first, rather than what failed because of it.
 */
export async function together<const T extends readonly unknown[]>(
  ...sent: T
): Promise<{ -readonly [Key in keyof T]: Awaited<T[Key]> }> {
  const ended = await Promise.allSettled(sent);
  const failures = ended.flatMap((one): readonly unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  if (failures.length > 0) throw failures.find((error) => errorCode(error) !== IN_FAILED_TRANSACTION) ?? failures[0];
  return Promise.all(sent);
}
