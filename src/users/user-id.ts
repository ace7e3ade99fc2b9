import type { ExecutionContext } from '@nestjs/common';
import { createParamDecorator } from '@nestjs/common';

import type { Uuid } from '../domain/uuid.js';
import { parseUuid } from '../domain/uuid.js';
import { INVALID_INPUT } from '../errors/faults.js';
import { ServiceError } from '../errors/service-error.js';

/** Handler parameter: `id` of the path as a UUID. Throws 400 for anything else. */
export const UserId = createParamDecorator((_: unknown, context: ExecutionContext): Uuid => {
  const { params } = context.switchToHttp().getRequest<{ readonly params: { readonly id?: unknown } }>();
  const id = parseUuid(params.id);
  if (id !== undefined) return id;
  throw new ServiceError('BAD_REQUEST', INVALID_INPUT, { issues: [{ message: 'id: must be a UUID' }] });
});
