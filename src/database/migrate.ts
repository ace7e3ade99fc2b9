import type { DataSource } from 'typeorm';
import { MigrationExecutor } from 'typeorm';

import { allow } from './connection/guarded-client.js';
import { adoptDerivedVersion } from './derived-version.js';

/** Any number that no other program takes for an advisory lock. */
const MIGRATION_LOCK = 7_265_001;

/**
 * Brings the schema up to date, one process at a time (P-7); yields the names of the migrations that ran. All of them
 * run in one transaction, on the connection that holds the lock: a pool of one is enough.
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  const client = (await runner.connect()) as object;
  allow(client, 'long');
  try {
    await runner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
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
    } finally {
      // A connection that cannot unlock is lost, and its lock with it: what broke it is the error to show.
      await runner.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    }
  } finally {
    allow(client, 'usual');
    await runner.release();
  }
}
