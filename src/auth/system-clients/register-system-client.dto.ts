import { IsIn, Length, ValidateIf } from 'class-validator';

import type { Registration } from '../../access/scope-permissions.js';
import { REGISTRATION_SCOPES } from '../../access/scope-permissions.js';

/** What a system client can be registered as. */
export const REGISTRATIONS = Object.keys(REGISTRATION_SCOPES);

/** Body of `POST /registerSystemClient`. */
export class RegisterSystemClientDto {
  @IsIn(REGISTRATIONS)
  scope: Registration;

  // Absent, but not null.
  @ValidateIf((_, name) => name !== undefined)
  @Length(1, 200)
  name?: string;
}
