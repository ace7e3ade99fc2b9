import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';

import { AuditModule } from '../platform/audit.module.js';
import { EventsModule } from '../events/events.module.js';
import { AuthModule } from '../auth/auth.module.js';
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
import { Metrics } from './metrics/metrics.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { ReplicaMetrics } from './metrics/replica-metrics.js';
import { DocsController } from './openapi/docs.controller.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { RouteCatalogue } from './openapi/route-catalogue.js';
import { RateLimitModule } from './rate-limit.module.js';
import { RequestValidationPipe } from './http/request-validation.pipe.js';
import { UrlKeysGuard } from './http/url-keys.guard.js';

/** Runs before every route: callers, bodies, validation, errors. */
@Module({})
export class GatewayModule {
  static behind(listeners: Listeners, routes: RouteList): DynamicModule {
    return {
      module: GatewayModule,
      imports: [AuditModule, AuthModule, EventsModule, PassportModule, RateLimitModule, DiscoveryModule],
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
        ErrorNotes,
        BearerStrategy,
        VerifiedTokens,
        Metrics,
        ReplicaMetrics,
        Readiness,
        RouteCatalogue,
      ],
    };
  }
}
