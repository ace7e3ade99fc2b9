import { type INestApplicationContext, Module, type ModuleMetadata, type NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Jobs } from '../../src/platform/jobs/jobs.js';
import type { Config } from '../../src/platform/config/config.js';
import { PlatformModule } from '../../src/platform/platform.module.js';

@Module({})
class TestModule {}

/** How many connections there are for searches, among others. */
export const POOL_SIZE = 4;

interface Started extends Required<Pick<ModuleMetadata, 'imports'>>, Pick<ModuleMetadata, 'providers'> {
  /** Logs nothing by default. */
  readonly logger?: NestApplicationOptions['logger'];
}

/** Some modules of the service on the database at `url`, with what they expect of the whole of it. */
export async function startModules(
  url: string,
  config: Config,
  { imports, providers = [], logger = false }: Started,
): Promise<INestApplicationContext> {
  const options: Pick<NestApplicationOptions, 'logger' | 'abortOnError'> = { logger, abortOnError: false };
  const app = await NestFactory.createApplicationContext(
    {
      module: TestModule,
      global: true,
      imports: [PlatformModule.at({ config, url, poolSize: POOL_SIZE, onFeedError: () => undefined }), ...imports],
      providers,
      exports: providers,
    },
    options,
  );
  app.get(Jobs).start();
  return app;
}
