import pg from 'pg';
import { DataSource, type Logger } from 'typeorm';
import { Primary } from '../connection/primary.js';
import { InitialSchema1767225600000 } from '../migrations/1767225600000-initial-schema.js';
import { ENTITIES } from './entities.js';

export const MIGRATIONS = [InitialSchema1767225600000];

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
