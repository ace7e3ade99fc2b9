import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import { ChangeFeed } from './change-feed.js';
import { ControlDatabase } from './control-database.js';
import { createDataSource } from './data-source.js';
import { Database } from './database.js';
import { ENTITIES } from './entities.js';
import { SearchDatabase } from './replicas/search-database.js';

interface DatabaseModuleOptions {
  /** The server's address. */
  readonly url: string;
  /** Connections to it, and to each replica. */
  readonly poolSize: number;
  readonly onFeedError: (error: unknown) => void;
  /** Streaming replicas to search; none when it is left out. */
  readonly replicaUrls?: readonly string[];
  readonly onReplicaChange?: (line: string) => void;
}

/** The pool, the entities' repositories, `Database`, `ControlDatabase`, `SearchDatabase` and `ChangeFeed`, for every module. */
@Module({})
export class DatabaseModule {
  static at({
    url,
    poolSize,
    onFeedError,
    replicaUrls = [],
    onReplicaChange = () => undefined,
  }: DatabaseModuleOptions): DynamicModule {
    const typeOrm = TypeOrmModule.forRootAsync({
      useFactory: () => ({ ...createDataSource(url, poolSize).options, retryAttempts: 0 }),
    });
    return {
      module: DatabaseModule,
      global: true,
      imports: [typeOrm, TypeOrmModule.forFeature(ENTITIES)],
      providers: [
        { provide: Database, useFactory: (dataSource: DataSource) => new Database(dataSource), inject: [DataSource] },
        { provide: ControlDatabase, useFactory: () => new ControlDatabase(url) },
        {
          provide: SearchDatabase,
          useFactory: (primary: Database) =>
            new SearchDatabase({ primary, primaryUrl: url, replicaUrls, poolSize, onReplicaChange }),
          inject: [Database],
        },
        { provide: ChangeFeed, useFactory: () => new ChangeFeed(url, onFeedError) },
      ],
      exports: [TypeOrmModule, Database, ControlDatabase, SearchDatabase, ChangeFeed],
    };
  }
}
