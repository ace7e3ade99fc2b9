import { setTimeout as sleep } from 'node:timers/promises';

import type { DataSource, QueryRunner } from 'typeorm';
import { MigrationExecutor } from 'typeorm';

import { errorCode } from '../../errors/error-code.js';
import { ADVISORY_LOCKS } from '../advisory-locks.js';
import { allow } from '../connection/guarded-client.js';
import { adoptDerivedVersion } from '../derived-version.js';

/**
 * Whoever asks for a table after a migration waits behind it: it must not wait long itself, as for a `pg_dump` (P-7).
 */
const LONGEST_WAIT = `set lock_timeout = '500ms'`;
const LOCK_NOT_AVAILABLE = '55P03';
/** Between two attempts, in which those who wait get their turn. */
const PAUSE_MS = 1_500;

/**
 * Brings the schema up to date, one process at a time (P-7); yields the names of the migrations that ran. All of them
 * run in one transaction, on the connection that holds the lock: a pool of one is enough. Where somebody uses a table that
 * is to be changed, it is tried again until they are done; `onWait` is told once.
 */
export async function migrate(dataSource: DataSource, onWait: () => void = () => undefined): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  const client = (await runner.connect()) as object;
  allow(client, 'long');
  try {
    await runner.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]);
    try {
      await runner.query(LONGEST_WAIT);
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await runPending(dataSource, runner);
        } catch (error) {
          if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error;
          if (attempt === 1) onWait();
          await sleep(PAUSE_MS);
        }
      }
    } finally {
      // A connection that cannot unlock is lost, and its lock with it: what broke it is the error to show.
      await runner
        .query(`reset lock_timeout; select pg_advisory_unlock(${ADVISORY_LOCKS.migration})`)
        .catch(() => undefined);
    }
  } finally {
    allow(client, 'usual');
    await runner.release();
  }
}

async function runPending(dataSource: DataSource, runner: QueryRunner): Promise<string[]> {
  const executor = new MigrationExecutor(dataSource, runner);
  executor.transaction = 'all';
  const ran = await executor.executePendingMigrations();
  await adoptDerivedVersion({
    query: (statement) => {
      const { text, params } = statement.toQuery();
      return runner.query(text, [...params]);
    },
  });
  return ran.map((migration) => migration.name);
}
