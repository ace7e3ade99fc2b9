import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { EventConfiguration } from '../kernel/domain/event-configuration/event-configuration.js';
import { AuditLog } from './audit/audit-log.js';
import { auditUpkeep, AuditWriter } from './audit/audit-writer.js';
import { type Config, CONFIG } from './config/config.js';
import { ChangeFeed } from './database/connection/change-feed.js';
import type { StatementTime } from './database/connection/guarded-client.js';
import { Primary } from './database/connection/primary.js';
import { type ServerState, ServerWatch } from './database/connection/server-watch.js';
import { SessionLock } from './database/connection/session-lock.js';
import {
  AuditDatabase,
  ControlDatabase,
  CredentialsDatabase,
  ExportDatabase,
  ImportDatabase,
  WriteDatabase,
} from './database/pools/pools.js';
import { Database } from './database/pools/database.js';
import { SearchDatabase } from './database/pools/search-database.js';
import { createDataSource } from './database/schema/data-source.js';
import { ENTITIES } from './database/schema/entities.js';
import { Jobs } from './jobs/jobs.js';
import { Metrics } from './metrics/metrics.js';
import { Capacities } from './queue/capacities.js';
import { Refusals } from './queue/refusals.js';

interface PlatformOptions {
  readonly config: Config;
  readonly url: string;
  /** `DATABASE_POOL_SIZE` by default. */
  readonly poolSize?: number;
  readonly onFeedError: (error: unknown) => void;
  readonly onServerChange?: (state: ServerState | 'another', error?: unknown) => void;
  readonly replicaUrls?: readonly string[];
  readonly onReplicaChange?: (line: string) => void;
  /** Commands are unlimited; a service's statement has a minute by default. */
  readonly statements?: StatementTime;
}

/** Global: the configuration, databases by purpose, `ChangeFeed`, `SessionLock`, the audit log, jobs, metrics and capacities. */
@Module({})
export class PlatformModule {
  static at({
    config,
    url,
    poolSize = config.DATABASE_POOL_SIZE,
    onFeedError,
    onServerChange = () => undefined,
    replicaUrls = [],
    onReplicaChange = () => undefined,
    statements = 'usual',
  }: PlatformOptions): DynamicModule {
    const primary = new Primary(url);
    primary.onNewServer(() => {
      onServerChange('another');
    });
    const typeOrm = TypeOrmModule.forRootAsync({
      useFactory: () => ({ ...createDataSource(url, poolSize, primary).options, retryAttempts: 0 }),
    });
    const providers: Provider[] = [
      { provide: CONFIG, useValue: config },
      { provide: EventConfiguration, useValue: config.eventConfiguration },
      Capacities,
      Refusals,
      AuditLog,
      AuditWriter,
      Metrics,
      {
        provide: Jobs,
        useFactory: (database: Database, patient: ImportDatabase) => {
          const jobs = new Jobs();
          jobs.add(auditUpkeep(database, patient));
          return jobs;
        },
        inject: [Database, ImportDatabase],
      },
      { provide: Primary, useValue: primary },
      { provide: ServerWatch, useFactory: () => new ServerWatch(primary, onServerChange) },
      {
        provide: Database,
        useFactory: (dataSource: DataSource) => new Database(dataSource, statements),
        inject: [DataSource],
      },
      {
        provide: ExportDatabase,
        useFactory: () => new ExportDatabase(primary, Math.max(2, Math.floor(poolSize / 4))),
      },
      {
        provide: SearchDatabase,
        useFactory: (database: Database) =>
          new SearchDatabase({ primary: database, server: primary, replicaUrls, poolSize, onReplicaChange }),
        inject: [Database],
      },
      ...[ControlDatabase, CredentialsDatabase, ImportDatabase, WriteDatabase, AuditDatabase, SessionLock].map(
        (pool) => ({ provide: pool, useFactory: () => new pool(primary) }),
      ),
      { provide: ChangeFeed, useFactory: () => new ChangeFeed(primary, onFeedError) },
    ];
    return {
      module: PlatformModule,
      global: true,
      imports: [typeOrm, TypeOrmModule.forFeature(ENTITIES)],
      providers,
      exports: [TypeOrmModule, ...providers.map((one) => ('provide' in one ? one.provide : one))],
    };
  }
}
