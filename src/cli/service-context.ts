import { type INestApplicationContext, Module, type NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AuthModule } from '../auth/auth.module.js';
import type { Config } from '../platform/config/config.js';
import { PlatformModule } from '../platform/platform.module.js';
import { messageOf } from '../kernel/errors/service-error.js';
import { EventsModule } from '../events/events.module.js';
import { HierarchyCache } from '../auth/locations/hierarchy-cache.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { tell, tellOfServer } from './output.js';

/** The service without routes, gateway and what runs in the background, for commands. */
@Module({ imports: [AuthModule, EventsModule, WebhooksModule] })
class ServicesModule {}

const OPTIONS: Pick<NestApplicationOptions, 'logger' | 'abortOnError'> = {
  logger: ['error', 'fatal'],
  abortOnError: false,
};

/** The caller closes them. */
export async function createServices(config: Config, url: string): Promise<INestApplicationContext> {
  const platform = PlatformModule.at({
    config,
    url,
    statements: 'long',
    onServerChange: tellOfServer,
    onFeedError: (error) => {
      tell(`change feed: ${messageOf(error)}`);
    },
  });
  const services = await NestFactory.createApplicationContext({ module: ServicesModule, imports: [platform] }, OPTIONS);
  // The change feed is not started.
  await services.get(HierarchyCache).refresh();
  return services;
}
