import pg from 'pg';
import type { Logger } from 'typeorm';
import { DataSource } from 'typeorm';

import { ENTITIES } from './entities.js';
import { MIGRATIONS } from './migrations.js';
import { applySessionSettings } from './session-settings.js';

// A calendar date has no time zone: as a `Date` it would become another day somewhere.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** TypeORM also throws what it would print, and standard output is not its own. */
const SILENT: Logger = {
  logQuery: () => undefined,
  logQueryError: () => undefined,
  logQuerySlow: () => undefined,
  logSchemaBuild: () => undefined,
  logMigration: () => undefined,
  log: () => undefined,
};

/** What every pool does with its connections: the primary's and those of replicas. */
export const CONNECTION_OPTIONS = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  onConnect: applySessionSettings,
} as const;

/** The data source of service, command line and tests. It is not connected yet: `initialize()` does that. */
export const createDataSource = (url: string, poolSize: number): DataSource =>
  new DataSource({
    type: 'postgres',
    url,
    applicationName: 'matricula',
    poolSize,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTableName: 'migration',
    logger: SILENT,
    extra: CONNECTION_OPTIONS,
  });
