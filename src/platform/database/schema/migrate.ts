import { setTimeout as sleep } from 'node:timers/promises';

import type { DataSource, QueryRunner } from 'typeorm';
import { MigrationExecutor } from 'typeorm';

import { isSqlError } from '../../../kernel/errors/sql-state.js';
import { ADVISORY_LOCKS } from '../connection/advisory-locks.js';
import { allow } from '../connection/guarded-client.js';
import { DatabaseServerError } from '../connection/database-server.js';
import { adoptDerivedVersion } from '../connection/derived-version.js';
import { InitialSchema1767225600000 } from '../migrations/1767225600000-initial-schema.js';

/** Statements queue behind a waiting migration, for example during a `pg_dump` (P-7). */
const LONGEST_WAIT = `set lock_timeout = '500ms'`;
const PAUSE_MS = 1_500;
const TOLD_AFTER_MS = 2_000;

/**
 * One process at a time, in one transaction on one connection (P-7); resolves with the migrations that ran. Retries
 * while a table is in use. `onWait` is called once if it must wait; `afterwards` runs before another process.
 */
export async function migrate(
  dataSource: DataSource,
  onWait: () => void = () => undefined,
  afterwards: () => Promise<void> = () => Promise.resolve(),
): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  const client = (await runner.connect()) as object;
  allow(client, 'long');
  let isTold = false;
  const tellOnce = (): void => {
    if (!isTold) onWait();
    isTold = true;
  };
  try {
    await awaitOthers(runner, tellOnce);
    try {
      await runner.query(LONGEST_WAIT);
      const ran = await runOnceFree(dataSource, runner, tellOnce);
      await afterwards();
      return ran;
    } finally {
      // The lock is lost with the connection; the original error is the one to show.
      await runner
        .query(`set lock_timeout = 0; select pg_advisory_unlock(${ADVISORY_LOCKS.migration})`)
        .catch(() => undefined);
    }
  } finally {
    allow(client, 'usual');
    await runner.release();
  }
}

/** Takes the lock; without migrations others hold it only briefly. */
async function awaitOthers(runner: QueryRunner, onWait: () => void): Promise<void> {
  const waiting = setTimeout(onWait, TOLD_AFTER_MS);
  try {
    await runner.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]);
  } finally {
    clearTimeout(waiting);
  }
}

async function runOnceFree(dataSource: DataSource, runner: QueryRunner, onWait: () => void): Promise<string[]> {
  for (;;) {
    try {
      return await runPending(dataSource, runner);
    } catch (error) {
      if (!isSqlError(error, 'lockNotAvailable')) throw error;
      onWait();
      await sleep(PAUSE_MS);
    }
  }
}

async function runPending(dataSource: DataSource, runner: QueryRunner): Promise<string[]> {
  const executor = new MigrationExecutor(dataSource, runner);
  executor.transaction = 'all';
  await refuseEarlierBuild(runner);
  const ran = await executor.executePendingMigrations();
  await adoptDerivedVersion({
    query: (statement) => {
      const { text, params } = statement.toQuery();
      return runner.query(text, [...params]);
    },
  });
  return ran.map((migration) => migration.name);
}

/** A database from before the initial schema has migrations that no longer exist. */
async function refuseEarlierBuild(runner: QueryRunner): Promise<void> {
  const [table] = (await runner.query("select to_regclass('migration') is not null as is")) as { is: boolean }[];
  if (table?.is !== true) return;
  const ran = (await runner.query('select name from migration')) as { name: string }[];
  if (ran.length > 0 && ran.every(({ name }) => name !== InitialSchema1767225600000.name)) {
    throw new DatabaseServerError(
      'This database was made by a build before the initial schema: export its records with that build and import ' +
        'them into an empty database, or take another DATABASE_URL or DATA_DIR',
    );
  }
}
