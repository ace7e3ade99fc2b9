import { type ArgumentMetadata, type DynamicModule, Injectable, Module, type PipeTransform } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { CORRELATION_ID } from '../auth/access/request-target.js';
import { FailedCredentialLimit, RequestThrottle } from '../auth/secrets/failed-credential-limit.js';
import { isDto, readDto, readQuery } from '../platform/dto/read-dto.js';
import { BearerGuard } from './bearer/bearer.guard.js';
import { BearerStrategy } from './bearer/bearer.strategy.js';
import { VerifiedTokens } from './bearer/verified-tokens.js';
import { BodyGuard } from './body/body.guard.js';
import { ErrorFilter, ErrorNotes } from './errors/error.filter.js';
import { HealthController } from './monitoring/health.controller.js';
import { Readiness } from './monitoring/readiness.js';
import { Listeners } from './http/listeners.js';
import { RouteList } from './http/route-list.js';
import { UrlKeysGuard } from './http/url-keys.guard.js';
import { currentRequest } from './monitoring/create-log.js';
import { MetricsController, Readings } from './monitoring/metrics.controller.js';
import { DocsController, OpenApiController } from './openapi/docs.controller.js';
import { RouteCatalogue } from './openapi/route-catalogue.js';
import { ClientRateLimit, CountedFailedCredentials, CountedRequests } from './rate-limit/rate-limits.js';
import { RedisConnection } from './rate-limit/redis-connection.js';

/**
 * Reads bodies, forms and query strings that are DTOs, with class-validator and class-transformer; leaves others to their
 * routes.
 */
@Injectable()
class RequestValidationPipe implements PipeTransform {
  transform(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
    if (!isDto(metatype)) return value;
    if (value instanceof URLSearchParams) return readQuery(metatype, membersOf(value));
    return type === 'query' ? readQuery(metatype, value) : readDto(metatype, value);
  }
}

/** The parameters of a form, as a query string has them: one that is given more than once is a list. */
const membersOf = (form: URLSearchParams): object =>
  Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );

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
