import pg from 'pg';
import type { Logger } from 'typeorm';
import { DataSource } from 'typeorm';

import { Primary } from '../connection/primary.js';
import { ENTITIES } from './entities.js';
import { MIGRATIONS } from './migrations.js';

// As a `Date`, a calendar date could become a different day.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

const SILENT: Logger = {
  logQuery: () => undefined,
  logQueryError: () => undefined,
  logQuerySlow: () => undefined,
  logSchemaBuild: () => undefined,
  logMigration: () => undefined,
  log: () => undefined,
};

/**
 * Connected by `initialize()`. Data sources of a process share one `primary`, so that all notice a change of server.
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
