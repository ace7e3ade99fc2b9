import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import type { AuthenticatedRequest } from './current-caller.js';
import { type Answering, hangUpOf } from '../../platform/queue/hang-up.js';

/** Who asks, and the signal that tells when he has gone. */
export interface Asker {
  readonly caller: Caller;
  readonly hungUp: AbortSignal;
}

/** Handler parameter: the caller that the bearer guard found, and `hangUpOf` the answer to him. */
export const CurrentAsker = createParamDecorator((_: unknown, context: ExecutionContext): Asker => {
  const http = context.switchToHttp();
  return {
    caller: http.getRequest<AuthenticatedRequest>().caller,
    hungUp: hangUpOf(http.getResponse<Answering>()),
  };
});
