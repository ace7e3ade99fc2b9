import type { DataSource } from 'typeorm';

/** Any number that no other program takes for an advisory lock. */
const MIGRATION_LOCK = 7_265_001;

/** Brings the schema up to date, one process at a time (P-7); yields the names of the migrations that ran. */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const ran = await dataSource.runMigrations({ transaction: 'all' });
    return ran.map((migration) => migration.name);
  } finally {
    await runner.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await runner.release();
  }
}
