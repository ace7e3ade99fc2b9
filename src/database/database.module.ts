import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import { ChangeFeed } from './change-feed.js';
import { createDataSource } from './data-source.js';
import { Database } from './database.js';
import { ENTITIES } from './entities.js';

/** The pool, the entities' repositories, `Database` and `ChangeFeed`, for every module. `url` is the server's address. */
@Module({})
export class DatabaseModule {
  static at(url: string, poolSize: number, onFeedError: (error: unknown) => void): DynamicModule {
    const typeOrm = TypeOrmModule.forRootAsync({
      useFactory: () => ({ ...createDataSource(url, poolSize).options, retryAttempts: 0 }),
    });
    return {
      module: DatabaseModule,
      global: true,
      imports: [typeOrm, TypeOrmModule.forFeature(ENTITIES)],
      providers: [
        { provide: Database, useFactory: (dataSource: DataSource) => new Database(dataSource), inject: [DataSource] },
        { provide: ChangeFeed, useFactory: () => new ChangeFeed(url, onFeedError) },
      ],
      exports: [TypeOrmModule, Database, ChangeFeed],
    };
  }
}
