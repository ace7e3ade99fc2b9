import { type INestApplicationContext, Module, type ModuleMetadata, type NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Capacities } from '../../src/platform/queue/capacities.js';
import { Refusals } from '../../src/platform/queue/refusals.js';
import { type Config, CONFIG } from '../../src/platform/config/config.js';
import { DatabaseModule } from '../../src/platform/database.module.js';
import { EventConfiguration } from '../../src/kernel/domain/event-configuration/event-configuration.js';

@Module({})
class TestModule {}

/** How many connections there are for searches, among others. */
export const POOL_SIZE = 4;

interface Started extends Required<Pick<ModuleMetadata, 'imports'>>, Pick<ModuleMetadata, 'providers'> {
  /** Logs nothing by default. */
  readonly logger?: NestApplicationOptions['logger'];
}

/** Some modules of the service on the database at `url`, with what they expect of the whole of it. */
export const startModules = (
  url: string,
  config: Config,
  { imports, providers = [], logger = false }: Started,
): Promise<INestApplicationContext> => {
  const shared = [
    { provide: CONFIG, useValue: config },
    { provide: EventConfiguration, useValue: config.eventConfiguration },
    Capacities,
    Refusals,
    ...providers,
  ];
  const options: Pick<NestApplicationOptions, 'logger' | 'abortOnError'> = { logger, abortOnError: false };
  return NestFactory.createApplicationContext(
    {
      module: TestModule,
      global: true,
      imports: [DatabaseModule.at({ url, poolSize: POOL_SIZE, onFeedError: () => undefined }), ...imports],
      providers: shared,
      exports: shared,
    },
    options,
  );
};
