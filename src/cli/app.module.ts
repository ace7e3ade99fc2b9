import { type DynamicModule, Logger, Module } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { AdministrationModule } from '../auth/administration.module.js';
import { AuthModule } from '../auth/auth.module.js';
import type { Config } from '../platform/config/config.js';
import { PlatformModule } from '../platform/platform.module.js';
import { EventsModule } from '../events/events.module.js';
import { GatewayModule } from '../gateway/gateway.module.js';
import type { Listeners } from '../gateway/http/listeners.js';
import type { RouteList } from '../gateway/http/route-list.js';
import { MOUNTS } from '../gateway/http/routes.js';
import { TrpcModule } from '../gateway/trpc.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';

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
    const log = new Logger('Database');
    return {
      module: AppModule,
      imports: [
        PlatformModule.at({
          config,
          url: databaseUrl,
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
        AuthModule.forService(),
        AdministrationModule,
        EventsModule.forService(),
        WebhooksModule.forService(config, MOUNTS.webhooks),
        GatewayModule.behind(listeners, routes),
        TrpcModule,
        RouterModule.register([
          { path: MOUNTS.auth, module: AuthModule },
          { path: MOUNTS.records, module: AdministrationModule },
          { path: MOUNTS.records, module: EventsModule },
          { path: MOUNTS.gateway, module: GatewayModule },
          { path: MOUNTS.trpc, module: TrpcModule },
        ]),
      ],
    };
  }
}
