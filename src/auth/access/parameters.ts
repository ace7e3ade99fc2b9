import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { requireUuid } from '../../kernel/input/readers.js';
import { uuid } from '../../platform/openapi/schemas.js';
import { type Answering, hangUpOf } from '../../platform/queue/hang-up.js';

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

/** Handler parameter: path `id` as a UUID. Throws 400 BAD_REQUEST for anything else. */
export const PathId = createParamDecorator((_: unknown, context: ExecutionContext): Uuid => {
  const { params } = context.switchToHttp().getRequest<{ readonly params: { readonly id?: unknown } }>();
  return requireUuid(params.id, 'id');
});

/** The route answers 400 or 404 to anything else. */
export const UuidParam = (name: string): MethodDecorator => ApiParam({ name, schema: uuid });
