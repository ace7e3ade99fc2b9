import { setTimeout as sleep } from 'node:timers/promises';
import { type DynamicModule, Logger, Module, type NestApplicationOptions } from '@nestjs/common';
import { NestFactory, RouterModule } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger as PinoLogger } from 'pino';
import { AdministrationModule } from '../auth/administration.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { NoticeSender } from '../auth/notices/notice-sender.js';
import { TokenStanding } from '../auth/sessions/token-introspection.js';
import { Confirmations } from '../events/confirmation/confirmations.js';
import { EventsModule } from '../events/events.module.js';
import { AnswersInFlight } from '../events/search/answers-in-flight.js';
import { leaveBodies } from '../gateway/body/body.guard.js';
import { GatewayModule } from '../gateway/gateway.module.js';
import { Readiness } from '../gateway/monitoring/readiness.js';
import { addCors, createAdapter } from '../gateway/http/create-adapter.js';
import { Listeners } from '../gateway/http/listeners.js';
import {
  answerInSlices,
  checkHeads,
  checkRequests,
  observeRequests,
  watchLongAnswers,
} from '../gateway/http/request-hooks.js';
import { RouteList } from '../gateway/http/route-list.js';
import { MOUNTS } from '../gateway/http/routes.js';
import { createLog, NestLog } from '../gateway/monitoring/create-log.js';
import { buildDocument, INTERNAL_TAG, publicDocument } from '../gateway/openapi/build-document.js';
import { OpenApiController } from '../gateway/openapi/docs.controller.js';
import { RouteCatalogue } from '../gateway/openapi/route-catalogue.js';
import { TrpcModule } from '../gateway/trpc.module.js';
import type { Config } from '../platform/config/config.js';
import { ChangeFeed } from '../platform/database/connection/change-feed.js';
import { waitAtMost } from '../platform/database/connection/within-deadline.js';
import { prepareDatabase } from '../platform/database/schema/prepare-database.js';
import { Jobs } from '../platform/jobs/jobs.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { PlatformModule } from '../platform/platform.module.js';
import { OtherWork } from '../platform/queue/other-work.js';
import { Refusals } from '../platform/queue/refusals.js';
import { Deliveries } from '../webhooks/delivery/deliveries.js';
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
class AppModule {
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

/** After the last request. */
const DATABASE_CLOSE_MS = 5_000;

/** Built, but not listening yet. */
export interface Application {
  readonly app: NestFastifyApplication;
  /** `http://127.0.0.1:7070`; undefined before `listen()`. */
  readonly publicUrl: string | undefined;
  readonly internalUrl: string | undefined;
  /** Opens both listeners (P-4). */
  listen(): Promise<void>;
  /** As in P-8, within `SHUTDOWN_GRACE_SECONDS`. Idempotent. */
  close(): Promise<void>;
}

type Options = Pick<NestApplicationOptions, 'logger' | 'bodyParser' | 'abortOnError'>;

/** Migrates first, as `MIGRATE_ON_START` says (P-7). Throws if the database cannot be reached. */
export async function createApplication(config: Config, databaseUrl: string): Promise<Application> {
  const log = createLog(config.LOG_LEVEL);
  const listeners = new Listeners(config);
  const routes = new RouteList();
  const options: Options = { logger: new NestLog(log), bodyParser: false, abortOnError: false };
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.of(config, databaseUrl, listeners, routes),
    createAdapter(config, listeners),
    options,
  );
  try {
    if (config.MIGRATE_ON_START) {
      await prepareDatabase(databaseUrl, config, () => {
        log.warn('migrations wait for other processes, which migrate too or use the tables that they change');
      });
    }
    const fastify = app.getHttpAdapter().getInstance();
    leaveBodies(fastify);
    const refusals = app.get(Refusals);
    listeners.tellRefusals((refusal, client) => {
      refusals.note(refusal, client);
    });
    routes.gather(fastify);
    observeRequests(fastify, { log, metrics: app.get(Metrics), otherWork: app.get(OtherWork) });
    await addCors(fastify, config);
    checkHeads(fastify);
    checkRequests(fastify, { listeners, routes });
    answerInSlices(fastify);
    watchLongAnswers(fastify, {
      inFlight: app.get(AnswersInFlight),
      withdrawals: { standing: app.get(TokenStanding), refusals },
    });
    await app.init();
    app.get(Jobs).start();
    const document = buildDocument(app, app.get(RouteCatalogue).routes(), {
      url: config.PUBLIC_URL ?? '/',
      maxLimit: config.SEARCH_MAX_LIMIT,
    });
    app.get(OpenApiController).publish('internal', document);
    app.get(OpenApiController).publish('public', publicDocument(document, INTERNAL_TAG));
    await fastify.ready();
  } catch (error) {
    await app.close().catch(() => undefined);
    throw error;
  }
  return new BuiltApplication(app, listeners, config, log);
}

class BuiltApplication implements Application {
  private closing: Promise<void> | undefined;

  constructor(
    readonly app: NestFastifyApplication,
    private readonly listeners: Listeners,
    private readonly config: Config,
    private readonly log: PinoLogger,
  ) {}

  get publicUrl(): string | undefined {
    return this.listeners.url('public');
  }

  get internalUrl(): string | undefined {
    return this.listeners.url('internal');
  }

  async listen(): Promise<void> {
    await this.app.get(ChangeFeed).start();
    await this.listeners.listen(this.config);
    this.log.info({ publicUrl: this.publicUrl, internalUrl: this.internalUrl }, 'listening');
    // Logs why the service is not ready. Not awaited, as a client may end the service at once.
    this.app
      .get(Readiness)
      .report()
      .catch((error: unknown) => {
        this.log.warn({ err: error }, 'readiness cannot be told');
      });
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    this.app.get(Readiness).stop();
    await sleep(this.config.SHUTDOWN_DELAY_SECONDS * 1_000);
    const graceMs = this.config.SHUTDOWN_GRACE_SECONDS * 1_000;
    await Promise.all([this.listeners.close(graceMs), ...this.outboxes().map((one) => one.stop(graceMs))]);
    // Its listeners may await an unresponsive database.
    await waitAtMost(DATABASE_CLOSE_MS, this.app.get(ChangeFeed).stop());
    // An aborted request's statement may still run.
    await waitAtMost(DATABASE_CLOSE_MS, this.app.close());
  }

  /** A service may be without webhooks. */
  private outboxes(): readonly (Deliveries | Confirmations | NoticeSender)[] {
    return [Deliveries, Confirmations, NoticeSender].flatMap((outbox) => {
      try {
        return this.app.get<Deliveries | Confirmations | NoticeSender>(outbox);
      } catch {
        return [];
      }
    });
  }
}
