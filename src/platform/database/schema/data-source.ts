import pg from 'pg';
import type { Logger } from 'typeorm';
import { DataSource } from 'typeorm';

import { Primary } from '../connection/primary.js';
import { ENTITIES } from './entities.js';
import { MIGRATIONS } from './migrations.js';

// A calendar date has no time zone: as a `Date` it could become a different day.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** TypeORM also throws what it would print, and standard output is not its to use. */
const SILENT: Logger = {
  logQuery: () => undefined,
  logQueryError: () => undefined,
  logQuerySlow: () => undefined,
  logSchemaBuild: () => undefined,
  logMigration: () => undefined,
  log: () => undefined,
};

/**
 * The data source of service, command line and tests. It is not connected yet: `initialize()` connects it. Those of one
 * process share one `primary`, so that all notice when the server changes.
 */
export const createDataSource = (url: string, poolSize: number, primary = new Primary(url)): DataSource =>
  new DataSource({
    type: 'postgres',
    url,
    applicationName: 'matricula',
    poolSize,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTableName: 'migration',
    logger: SILENT,
    extra: primary.connectionOptions,
  });
