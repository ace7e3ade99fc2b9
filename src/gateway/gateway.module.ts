import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';

import { CORRELATION_ID } from '../auth/access/request-target.js';
import { FailedCredentialLimit } from '../auth/throttling/failed-credential-limit.js';
import { RequestThrottle } from '../auth/throttling/throttling-table.js';
import { BearerGuard } from './bearer/bearer.guard.js';
import { BearerStrategy } from './bearer/bearer.strategy.js';
import { VerifiedTokens } from './bearer/verified-tokens.js';
import { BodyGuard } from './body/body.guard.js';
import { ErrorFilter } from './errors/error.filter.js';
import { ErrorNotes } from './errors/error-notes.js';
import { HealthController } from './health/health.controller.js';
import { Readiness } from './health/readiness.js';
import { Listeners } from './http/listeners.js';
import { RouteList } from './http/route-list.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { Readings } from './metrics/readings.js';
import { DocsController } from './openapi/docs.controller.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { RouteCatalogue } from './openapi/route-catalogue.js';
import { currentRequest } from './logging/request-context.js';
import { ClientRateLimit } from './rate-limit/client-rate-limit.js';
import { CountedFailedCredentials } from './rate-limit/counted-failed-credentials.js';
import { CountedRequests } from './rate-limit/counted-requests.js';
import { RedisConnection } from './rate-limit/redis-connection.js';
import { RequestValidationPipe } from './http/request-validation.pipe.js';
import { UrlKeysGuard } from './http/url-keys.guard.js';

/** Runs before every route: callers, bodies, validation, errors, rate limits (G-8). */
@Module({})
export class GatewayModule {
  static behind(listeners: Listeners, routes: RouteList): DynamicModule {
    return {
      module: GatewayModule,
      global: true,
      imports: [PassportModule, DiscoveryModule],
      controllers: [HealthController, MetricsController, OpenApiController, DocsController],
      providers: [
        { provide: Listeners, useValue: listeners },
        { provide: RouteList, useValue: routes },
        // In this order: a caller who may not call is told so before any of the body is read (G-2).
        { provide: APP_GUARD, useClass: BearerGuard },
        { provide: APP_GUARD, useClass: BodyGuard },
        { provide: APP_GUARD, useClass: UrlKeysGuard },
        { provide: APP_PIPE, useClass: RequestValidationPipe },
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: CORRELATION_ID, useValue: () => currentRequest()?.correlationId },
        { provide: FailedCredentialLimit, useClass: CountedFailedCredentials },
        { provide: RequestThrottle, useClass: CountedRequests },
        RedisConnection,
        ClientRateLimit,
        ErrorNotes,
        BearerStrategy,
        VerifiedTokens,
        Readiness,
        Readings,
        RouteCatalogue,
      ],
      exports: [CORRELATION_ID, ClientRateLimit, FailedCredentialLimit, RequestThrottle],
    };
  }
}
