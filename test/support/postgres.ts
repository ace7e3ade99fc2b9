import { FIX_TERM_KEY } from './terms.js';
import { randomBytes } from 'node:crypto';

import pg from 'pg';
import type { DataSource } from 'typeorm';

import { Database } from '../../src/platform/database/pools/database.js';
import { createDataSource } from '../../src/platform/database/schema/data-source.js';
import { migrate } from '../../src/platform/database/schema/prepare-database.js';
import { databaseAt } from './database-at.js';
import { endedWithFile } from './left-over.js';

export interface TestDatabase {
  readonly url: string;
  readonly dataSource: DataSource;
  readonly database: Database;
  /** Closes the pool and removes the database, whoever is still connected to it. */
  drop(): Promise<void>;
}

interface TestDatabaseOptions {
  /** Whether it has the schema; false leaves it empty. */
  readonly migrated?: boolean;
  /** Makes a copy of this database, whose pool has been closed. */
  readonly of?: TestDatabase;
  /** Gives the database an ICU collation (`en-US`) as its default; it has the server's otherwise. */
  readonly icuLocale?: string;
}

/** A fresh, migrated database of its own. */
export async function createTestDatabase({
  migrated = true,
  icuLocale,
  of,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const run = environment('TEST_RUN');
  // Nothing of the file or the worker is in it: a name that was left behind meets no other.
  const name = `${run}_${randomBytes(8).toString('hex')}`;
  const url = databaseAt(environment('TEST_SERVER_URL'), name);
  const collation = icuLocale === undefined ? '' : `locale_provider icu icu_locale '${icuLocale}'`;
  const fromTemplate = migrated && icuLocale === undefined;
  const dataSource = createDataSource(url, 4);
  const drop = endedWithFile(async () => {
    if (dataSource.isInitialized) await dataSource.destroy();
    await administer(`drop database if exists ${name} with (force)`);
  });
  await administer(
    fromTemplate
      ? // Its pages are copied as files, not written to the log and then kept in shared buffers: half of the work.
        `create database ${name} template ${of === undefined ? `${run}_template` : nameOf(of)} strategy file_copy`
      : `create database ${name} template template0 encoding 'UTF8' ${collation}`,
  );
  await dataSource.initialize();
  if (migrated && !fromTemplate) {
    await migrate(dataSource);
    await dataSource.query(FIX_TERM_KEY);
  }
  return {
    url,
    dataSource,
    database: new Database(dataSource),
    drop,
  };
}

/** The name of a database, which needs no quotes in SQL. */
export const nameOf = ({ url }: TestDatabase): string => new URL(url).pathname.slice(1);

/** Runs statements on the server, outside of any test's database. */
export async function administer(...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: environment('TEST_SERVER_URL') });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function environment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: global-setup.ts belongs to this project`);
  return value;
}
