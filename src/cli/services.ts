import type { INestApplicationContext } from '@nestjs/common';

import type { Config } from '../config/config.js';
import { environment } from '../config/environment.js';
import { readConfig } from '../config/read-config.js';
import type { Database } from '../database/pools/database.js';
import { openConfiguredServer } from './configured-server.js';
import { tellOfWaiting } from './output.js';

/**
 * Runs `work` with the services of the configured database: the one at `DATABASE_URL`, or the embedded one, which is
 * started for the duration of the command unless a running service has it already. Commands that only read, sign or
 * seal do not migrate (P-7), and fail on an outdated schema. Frameworks and services are loaded here, and by each
 * `work`: wrong usage is refused before that, at once.
 */
export async function withServices<T>(
  work: (services: INestApplicationContext, config: Config) => Promise<T>,
  schema: 'brought up to date' | 'as it is' = 'brought up to date',
): Promise<T> {
  const config = readConfig(environment());
  const server = await openConfiguredServer(config);
  try {
    if (config.MIGRATE_ON_START && schema === 'brought up to date') {
      const { prepareDatabase } = await import('../database/schema/prepare-database.js');
      await prepareDatabase(server.url, config, tellOfWaiting);
    }
    const { createServices } = await import('./service-context.js');
    const services = await createServices(config, server.url);
    try {
      return await work(services, config);
    } finally {
      await services.close();
    }
  } finally {
    await server.close();
  }
}

/**
 * Runs `work` on the configured database alone, for commands that only read it: it loads no framework but TypeORM, and
 * starts in half the time. The schema stays as it is.
 */
export async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const config = readConfig(environment());
  const server = await openConfiguredServer(config);
  try {
    const { createDataSource } = await import('../database/schema/data-source.js');
    const { Database } = await import('../database/pools/database.js');
    const dataSource = await createDataSource(server.url, config.DATABASE_POOL_SIZE).initialize();
    try {
      return await work(new Database(dataSource, 'long'));
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await server.close();
  }
}
