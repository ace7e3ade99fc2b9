import type { ExecutionContext } from '@nestjs/common';
import { createParamDecorator } from '@nestjs/common';

import type { Uuid } from '../../domain/uuid.js';
import { parseUuid } from '../../domain/uuid.js';
import { INVALID_INPUT } from '../../errors/faults.js';
import { ServiceError } from '../../errors/service-error.js';

/** The id as a UUID. Throws 400 for anything else. */
export function integrationIdOf(text: unknown): Uuid {
  const id = parseUuid(text);
  if (id !== undefined) return id;
  throw new ServiceError('BAD_REQUEST', INVALID_INPUT, { issues: [{ message: 'id: must be a UUID' }] });
}

/** Handler parameter: `id` of the path. */
export const IntegrationId = createParamDecorator((_: unknown, context: ExecutionContext): Uuid => {
  const { params } = context.switchToHttp().getRequest<{ readonly params: { readonly id?: unknown } }>();
  return integrationIdOf(params.id);
});
