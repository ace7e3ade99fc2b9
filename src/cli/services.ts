import type { INestApplicationContext } from '@nestjs/common';

import type { Config } from '../platform/config/config.js';
import type { Database } from '../platform/database/pools/database.js';
import { configuration } from './configuration.js';
import { openConfiguredServer } from './configured-server.js';
import { tellOfWaiting } from './output.js';

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
