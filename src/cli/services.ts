import type { INestApplicationContext } from '@nestjs/common';

import type { Config } from '../config/config.js';
import { environment } from '../config/environment.js';
import { readConfig } from '../config/read-config.js';
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
