import { type DynamicModule, type INestApplicationContext, Module, type NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Capacities } from '../platform/queue/capacities.js';
import { Refusals } from '../platform/queue/refusals.js';
import { AuthModule } from '../auth/auth.module.js';
import { type Config, CONFIG } from '../platform/config/config.js';
import { DatabaseModule } from '../platform/database.module.js';
import { EventConfiguration } from '../kernel/domain/event-configuration/event-configuration.js';
import { messageOf } from '../kernel/errors/service-error.js';
import { ConfirmationLogModule } from '../events/confirmation-log.module.js';
import { EventsModule } from '../events/events.module.js';
import { ConfirmationOutboxModule } from '../events/confirmation-outbox.module.js';
import { HierarchyCache } from '../auth/locations/hierarchy-cache.js';
import { RecordFilterModule } from '../webhooks/record-filter.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { tell, tellOfServer } from './output.js';

/** The service without routes and gateway, for commands. */
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
          onServerChange: tellOfServer,
          onFeedError: (error) => {
            tell(`change feed: ${messageOf(error)}`);
          },
        }),
        AuthModule,
        EventsModule,
        RecordFilterModule,
        WebhooksModule,
        ConfirmationOutboxModule,
        ConfirmationLogModule,
      ],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: EventConfiguration, useValue: config.eventConfiguration },
        Capacities,
        Refusals,
      ],
      exports: [CONFIG, EventConfiguration, Capacities, Refusals],
    };
  }
}

const OPTIONS: Pick<NestApplicationOptions, 'logger' | 'abortOnError'> = {
  logger: ['error', 'fatal'],
  abortOnError: false,
};

/** The caller closes them. */
export async function createServices(config: Config, databaseUrl: string): Promise<INestApplicationContext> {
  const services = await NestFactory.createApplicationContext(ServicesModule.of(config, databaseUrl), OPTIONS);
  // The change feed is not started.
  await services.get(HierarchyCache).refresh();
  return services;
}
