import type { INestApplicationContext } from '@nestjs/common';
import type { Config } from '../platform/config/config.js';
import { environment, readConfig } from '../platform/config/read-config.js';
import type { DatabaseServer } from '../platform/database/connection/database-server.js';
import { openServer } from '../platform/database/embedded/open-server.js';
import type { Database } from '../platform/database/pools/database.js';
import { tell, tellOfWaiting } from './output.js';

/** Throws `ConfigError` with all faults of the variables, or of `ROLES`, before anything starts. */
export async function configuration(): Promise<Config> {
  const config = readConfig(environment());
  if (config.ROLES !== undefined) {
    const { Roles } = await import('../auth/users/roles.js');
    new Roles(config);
  }
  return config;
}

/** At `DATABASE_URL`, or embedded; slow steps go to standard error. */
export const openConfiguredServer = (
  config: Pick<Config, 'DATABASE_URL' | 'DATABASE_WAIT_SECONDS' | 'DATA_DIR'>,
): Promise<DatabaseServer> =>
  openServer({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    log: tell,
    patienceSeconds: config.DATABASE_WAIT_SECONDS,
  });

type Schema = 'brought up to date' | 'as it is';

/**
 * With the configured database, embedded if necessary. Commands that only read, sign or seal do not migrate (P-7), and
 * fail on an outdated schema. Services load lazily, so that wrong usage is refused at once.
 */
export const withServices = <T>(
  work: (services: INestApplicationContext, config: Config) => Promise<T>,
  schema: Schema = 'brought up to date',
): Promise<T> =>
  withServer(schema, async (url, config) => {
    const { createServices } = await import('./service-context.js');
    const services = await createServices(config, url);
    try {
      return await work(services, config);
    } finally {
      await services.close();
    }
  });

/** Without Nest a command starts in half the time. */
export const withDatabase = <T>(work: (database: Database, config: Config) => Promise<T>, schema: Schema): Promise<T> =>
  withServer(schema, async (url, config) => {
    const { openDatabase } = await import('./open-database.js');
    const { database, close } = await openDatabase(url, config);
    try {
      return await work(database, config);
    } finally {
      await close();
    }
  });

async function withServer<T>(schema: Schema, work: (url: string, config: Config) => Promise<T>): Promise<T> {
  const config = await configuration();
  const server = await openConfiguredServer(config);
  try {
    if (config.MIGRATE_ON_START && schema === 'brought up to date') {
      const { prepareDatabase } = await import('../platform/database/schema/prepare-database.js');
      await prepareDatabase(server.url, config, tellOfWaiting);
    }
    return await work(server.url, config);
  } finally {
    await server.close();
  }
}
