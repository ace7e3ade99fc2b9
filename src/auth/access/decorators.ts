import { Readable } from 'node:stream';
import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Header,
  HttpCode,
  Injectable,
  type NestInterceptor,
  Post,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiParam, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { UserType } from '../../kernel/domain/event-record.js';
import { KIB } from '../../kernel/domain/bytes.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import type { Permission } from '../../kernel/domain/scopes/permission.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ERROR_STATUS, type ErrorCode, ServiceError } from '../../kernel/errors/service-error.js';
import { requireUuid } from '../../kernel/input/readers.js';
import { Accepts, type BodyKind } from '../../platform/dto/accepts.js';
import { uuid } from '../../platform/dto/schemas.js';
import { Capacities, type CapacityName } from '../../platform/queue/capacities.js';
import { type Answering, hangUpOf } from '../../platform/queue/hang-up.js';
import { hasLists, jsonInSlices } from '../../platform/queue/time-slice.js';
import { networkOf } from '../../platform/queue/network-of.js';

export const ApiErrorAnswer = (code: ErrorCode, description: string): MethodDecorator =>
  ApiResponse({ status: ERROR_STATUS[code], description, schema: { $ref: '#/components/schemas/ErrorObject' } });

export const ApiSharedError = (code: ErrorCode, description?: string): MethodDecorator =>
  ApiResponse({
    status: ERROR_STATUS[code],
    ...{ $ref: `#/components/responses/${code}` },
    ...(description !== undefined && { description }),
  });

/** `hungUp` aborts when the client disconnects. */
export interface Asker {
  readonly caller: Caller;
  readonly hungUp: AbortSignal;
}

/** Handler parameter; `hungUp` is `hangUpOf` the answer. */
export const CurrentAsker = createParamDecorator((_: unknown, context: ExecutionContext): Asker => {
  const http = context.switchToHttp();
  return {
    caller: http.getRequest<AuthenticatedRequest>().caller,
    hungUp: hangUpOf(http.getResponse<Answering>()),
  };
});

export interface AuthenticatedRequest {
  readonly caller: Caller;
}

export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller => context.switchToHttp().getRequest<AuthenticatedRequest>().caller,
);

const pathUuid = createParamDecorator((name: string, context: ExecutionContext): Uuid => {
  const { params } = context.switchToHttp().getRequest<{ readonly params: Readonly<Record<string, unknown>> }>();
  return requireUuid(params[name], name);
});

/** Handler parameter: a part of the path as a UUID, described. Throws 400 BAD_REQUEST for anything else. */
export const PathId =
  (name = 'id'): ParameterDecorator =>
  (target, key, index) => {
    pathUuid(name)(target, key, index);
    const handler = Object.getOwnPropertyDescriptor(target, key ?? '');
    if (key !== undefined && handler !== undefined) UuidParam(name)(target, key, handler);
  };

/** The route answers 400 or 404 to anything else. */
export const UuidParam = (name: string): MethodDecorator => ApiParam({ name, schema: uuid });

/** Access (G-2): anybody, any valid token, or a token with one of the permissions. */
export type AccessRule = 'public' | 'authenticated' | readonly [Permission, ...Permission[]];

/** Metadata key, read by `BearerGuard`. */
export const ACCESS_RULE = 'matricula:access-rule';

/** A route without it is refused (G-2). */
export const Allow = (
  first: 'public' | 'authenticated' | Permission,
  ...others: readonly Permission[]
): MethodDecorator & ClassDecorator =>
  SetMetadata<string, AccessRule>(
    ACCESS_RULE,
    first === 'public' || first === 'authenticated' ? first : [first, ...others],
  );

/** Metadata key, read by `BearerGuard`. */
export const ONLY_USER_TYPE = 'matricula:only-user-type';

/** Others get 403, whatever their scopes (E-11). */
export const AllowOnly = (userType: UserType): MethodDecorator & ClassDecorator =>
  SetMetadata<string, UserType>(ONLY_USER_TYPE, userType);

const REFUSALS: Readonly<Record<UserType, string>> = {
  user: 'Only users may do this',
  system: 'Only system clients may do this',
};

/** Throws 403 FORBIDDEN for the other type. */
export function requireUserType(only: UserType, { userType }: Pick<Caller, 'userType'>): void {
  if (only !== userType) throw new ServiceError('FORBIDDEN', REFUSALS[only]);
}

export interface RouteSettings {
  readonly noHead?: boolean;
}

/** For a GET with a trace, such as READ or an audit row: HEAD is 405, since it would write or bypass it. */
export const NoHead = (): MethodDecorator => RouteConfig({ noHead: true } satisfies RouteSettings);

export const OWN_URL_KEYS = 'matricula:own-url-keys';

export type OwnUrlKeys = readonly string[] | 'any';

/** Declares URL parameters taken without a DTO. Other routes without a DTO take none. */
export const OwnUrlKeys = (keys: OwnUrlKeys): MethodDecorator => SetMetadata<string, OwnUrlKeys>(OWN_URL_KEYS, keys);

/** Largest body with credentials: its sender is not authenticated yet, and reading costs by length. */
export const CREDENTIALS_LIMIT_BYTES = 64 * KIB;

/** A route for everybody that takes credentials, and answers 200; not to be cached (RFC 6749 5.1). */
export const CredentialsPost = (path: string, kinds: readonly BodyKind[] = ['json']): MethodDecorator =>
  applyDecorators(
    Post(path),
    HttpCode(200),
    Header('Cache-Control', 'no-store'),
    Header('Pragma', 'no-cache'),
    Allow('public'),
    Accepts(kinds, CREDENTIALS_LIMIT_BYTES),
  );

export const CAPACITY = 'matricula:capacity';

/** Validates, handles and writes in one turn: no data is held while waiting. */
@Injectable()
class TurnInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly capacities: Capacities,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const { caller, ip } = http.getRequest<FastifyRequest & Partial<AuthenticatedRequest>>();
    const reply = http.getResponse<FastifyReply>();
    const name = this.reflector.getAllAndOverride<CapacityName>(CAPACITY, [context.getHandler(), context.getClass()]);
    const applicant = { client: caller?.subject ?? networkOf(ip), hungUp: hangUpOf(reply) };
    return from(
      this.capacities.run(name, applicant, async () => {
        const answer: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
        if (answer instanceof Readable || !hasLists(answer)) return answer;
        const text = await jsonInSlices(answer);
        void reply.type('application/json; charset=utf-8');
        return text;
      }),
    );
  }
}

/** Requests share a capacity in turns, and get 503 without room. */
export const InTurn = (name: CapacityName): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata<string, CapacityName>(CAPACITY, name), UseInterceptors(TurnInterceptor));
