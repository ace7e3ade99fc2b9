import { SetMetadata } from '@nestjs/common';

import type { UserType } from '../../kernel/domain/user-type.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';

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
