import { isSqlError } from '../../../kernel/errors/sql-state.js';

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
