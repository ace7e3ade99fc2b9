import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import type { AuthenticatedRequest } from './current-caller.js';
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
