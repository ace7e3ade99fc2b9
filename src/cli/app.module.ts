import { type DynamicModule, Logger, Module } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { Capacities } from '../platform/queue/capacities.js';
import { Refusals } from '../platform/queue/refusals.js';
import { AuditUpkeep } from '../platform/audit/audit-upkeep.js';
import { AdministrationModule } from '../auth/administration.module.js';
import { AuthRoutesModule } from '../auth/auth-routes.module.js';
import { type Config, CONFIG } from '../platform/config/config.js';
import { DatabaseModule } from '../platform/database.module.js';
import { EventConfiguration } from '../kernel/domain/event-configuration/event-configuration.js';
import { EventRoutesModule } from '../events/event-routes.module.js';
import { GatewayModule } from '../gateway/gateway.module.js';
import type { Listeners } from '../gateway/http/listeners.js';
import type { RouteList } from '../gateway/http/route-list.js';
import { currentRequest } from '../gateway/logging/request-context.js';
import { MOUNTS } from '../gateway/http/routes.js';
import { ConfirmationModule } from '../events/confirmation.module.js';
import { NoticesModule } from '../auth/notices.module.js';
import { TrpcModule } from '../gateway/trpc.module.js';
import { RecordFilterModule } from '../webhooks/record-filter.module.js';
import { WebhookServiceModule } from '../webhooks/webhook-service.module.js';

@Module({})
class ConfigModule {}

const correlationId = (): string | undefined => currentRequest()?.correlationId;

const SERVER_CHANGES = {
  another: 'the database server is another than before: everything kept in memory is read again',
  down: 'the database does not answer',
  standby: 'the database is a standby: the primary is needed',
  full: 'the disk of the database is full: nothing can be written',
  'read-only': 'the database takes no writes',
} as const;

/** Every feature, mounted by the gateway's table (G-1). */
@Module({})
export class AppModule {
  static of(config: Config, databaseUrl: string, listeners: Listeners, routes: RouteList): DynamicModule {
    const log = new Logger(DatabaseModule.name);
    return {
      module: AppModule,
      imports: [
        {
          module: ConfigModule,
          global: true,
          providers: [
            { provide: CONFIG, useValue: config },
            { provide: EventConfiguration, useValue: config.eventConfiguration },
            Capacities,
            Refusals,
          ],
          exports: [CONFIG, EventConfiguration, Capacities, Refusals],
        },
        DatabaseModule.at({
          url: databaseUrl,
          poolSize: config.DATABASE_POOL_SIZE,
          replicaUrls: config.DATABASE_REPLICA_URLS.map((url) => url.reveal()),
          onFeedError: (error) => {
            log.warn('changes made by other processes are not followed', error);
          },
          onServerChange: (state, error) => {
            if (state === 'up') log.log('the database is up');
            else log.warn(SERVER_CHANGES[state], error);
          },
          onReplicaChange: (line) => {
            log.warn(line);
          },
        }),
        AuthRoutesModule,
        AdministrationModule,
        EventRoutesModule,
        RecordFilterModule,
        ConfirmationModule,
        NoticesModule,
        WebhookServiceModule.of({ config, mount: MOUNTS.webhooks, correlationId }),
        GatewayModule.behind(listeners, routes),
        TrpcModule,
        RouterModule.register([
          { path: MOUNTS.auth, module: AuthRoutesModule },
          { path: MOUNTS.records, module: AdministrationModule },
          { path: MOUNTS.records, module: EventRoutesModule },
          { path: MOUNTS.gateway, module: GatewayModule },
          { path: MOUNTS.trpc, module: TrpcModule },
        ]),
      ],
      providers: [AuditUpkeep],
    };
  }
}
