import type { ExecutionContext } from '@nestjs/common';
import { createParamDecorator } from '@nestjs/common';

import type { Caller } from '../../kernel/domain/scopes/caller.js';

/** A request that has passed the bearer guard. */
export interface AuthenticatedRequest {
  readonly caller: Caller;
}

/** Handler parameter: the caller that the bearer guard found. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller => context.switchToHttp().getRequest<AuthenticatedRequest>().caller,
);
