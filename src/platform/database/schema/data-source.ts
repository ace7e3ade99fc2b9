import pg from 'pg';
import { DataSource, type Logger } from 'typeorm';
import { Primary } from '../connection/primary.js';
import { type ServerState, ServerWatch } from '../connection/server-watch.js';
import { InitialSchema1767225600000 } from '../migrations/initial-schema/1767225600000-initial-schema.js';
import { ENTITIES } from './entities.js';

interface WatchedDataSource {
  readonly dataSource: DataSource;
  readonly close: () => Promise<void>;
}

/** For statements that may take hours: `ServerWatch` fails those that a lost server will never answer. */
export async function openWatched(
  url: string,
  poolSize: number,
  onChange: (state: ServerState) => void = () => undefined,
): Promise<WatchedDataSource> {
  const primary = new Primary(url);
  const dataSource = await createDataSource(url, poolSize, primary).initialize();
  const watch = new ServerWatch(primary, onChange);
  watch.onApplicationBootstrap();
  return {
    dataSource,
    close: async () => {
      await watch.onApplicationShutdown();
      await dataSource.destroy();
    },
  };
}

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
