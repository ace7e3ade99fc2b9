import { SetMetadata } from '@nestjs/common';

import type { UserType } from '../domain/record/user-type.js';

/** Metadata key of the only user type that may call a route, read by `BearerGuard`. */
export const ONLY_USER_TYPE = 'matricula:only-user-type';

/** Declares that only users, or only system clients, may call a route, whatever their scopes (E-11): others get 403. */
export const AllowOnly = (userType: UserType): MethodDecorator & ClassDecorator =>
  SetMetadata<string, UserType>(ONLY_USER_TYPE, userType);
