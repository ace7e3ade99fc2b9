import pg from 'pg';

const DEADLOCK_DETECTED = '40P01';
const ATTEMPTS = 10;

/** Runs a transaction again if Postgres aborted it to break a deadlock. */
export async function retryingDeadlocks<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== DEADLOCK_DETECTED || attempt === ATTEMPTS) throw error;
    }
  }
}
