import { SetMetadata } from '@nestjs/common';

import type { Permission } from '../../kernel/domain/scopes/permission.js';

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
