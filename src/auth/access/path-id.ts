import type { ExecutionContext } from '@nestjs/common';
import { createParamDecorator } from '@nestjs/common';

import type { Uuid } from '../../kernel/domain/uuid.js';
import { requireUuid } from '../../kernel/input/require-uuid.js';

/** Handler parameter: path `id` as a UUID. Throws 400 BAD_REQUEST for anything else. */
export const PathId = createParamDecorator((_: unknown, context: ExecutionContext): Uuid => {
  const { params } = context.switchToHttp().getRequest<{ readonly params: { readonly id?: unknown } }>();
  return requireUuid(params.id, 'id');
});
