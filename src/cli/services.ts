import type { DynamicModule, INestApplicationContext, NestApplicationOptions } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { Refusals } from '../access/refusals.js';
import { AuthModule } from '../auth/auth.module.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.js';
import { environment } from '../config/environment.js';
import { readConfig } from '../config/read-config.js';
import { DatabaseModule } from '../database/database.module.js';
import { prepareDatabase } from '../database/schema/prepare-database.js';
import { EventsModule } from '../events.module.js';
import { HierarchyCache } from '../locations/hierarchy-cache.js';
import { LocationsModule } from '../locations/locations.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { openConfiguredServer } from './configured-server.js';
import { tell, tellOfWaiting } from './output.js';

/** The service without its gateway: what commands work with. */
@Module({})
class ServicesModule {
  static of(config: Config, databaseUrl: string): DynamicModule {
    return {
      module: ServicesModule,
      global: true,
      imports: [
        DatabaseModule.at({
          url: databaseUrl,
          poolSize: config.DATABASE_POOL_SIZE,
          statements: 'long',
          onFeedError: (error) => {
            tell(`change feed: ${error instanceof Error ? error.message : String(error)}`);
          },
        }),
        AuthModule,
        LocationsModule,
        EventsModule,
        WebhooksModule,
      ],
      providers: [{ provide: CONFIG, useValue: config }, Refusals],
      exports: [CONFIG, Refusals],
    };
  }
}

const OPTIONS: Pick<NestApplicationOptions, 'logger' | 'abortOnError'> = {
  logger: ['error', 'fatal'],
  abortOnError: false,
};

/**
 * Runs `work` with the services of the configured database: the one at `DATABASE_URL`, or the embedded one, which is
 * started for the time of the command unless a running service has it already. Commands that only read or sign take the
 * schema as it is (P-7).
 */
export async function withServices<T>(
  work: (services: INestApplicationContext, config: Config) => Promise<T>,
  schema: 'brought up to date' | 'as it is' = 'brought up to date',
): Promise<T> {
  const config = readConfig(environment());
  const server = await openConfiguredServer(config);
  try {
    if (config.MIGRATE_ON_START && schema === 'brought up to date') {
      await prepareDatabase(server.url, config, tellOfWaiting);
    }
    const services = await NestFactory.createApplicationContext(ServicesModule.of(config, server.url), OPTIONS);
    try {
      // The change feed, which reads it in a service, is not started here.
      await services.get(HierarchyCache).refresh();
      return await work(services, config);
    } finally {
      await services.close();
    }
  } finally {
    await server.close();
  }
}
