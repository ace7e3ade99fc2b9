import { SetMetadata } from '@nestjs/common';

import type { Permission } from '../../kernel/domain/scopes/permission.js';

/**
 * Who may call a route (G-2): anybody; any caller with a valid token, whatever its scopes; or a caller with one of the
 * permissions.
 */
export type AccessRule = 'public' | 'authenticated' | readonly [Permission, ...Permission[]];

/** Metadata key of an `AccessRule`, read by `BearerGuard`. */
export const ACCESS_RULE = 'matricula:access-rule';

/** Declares who may call a route. A route without it is refused (G-2). */
export const Allow = (
  first: 'public' | 'authenticated' | Permission,
  ...others: readonly Permission[]
): MethodDecorator & ClassDecorator =>
  SetMetadata<string, AccessRule>(
    ACCESS_RULE,
    first === 'public' || first === 'authenticated' ? first : [first, ...others],
  );
