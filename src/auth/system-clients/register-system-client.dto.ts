import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, Length } from 'class-validator';

import { MayBeAbsent } from '../../access/dto/members.js';
import type { Registration } from '../../access/scope-permissions.js';
import { REGISTRATION_SCOPES } from '../../access/scope-permissions.js';

const REGISTRATIONS = Object.keys(REGISTRATION_SCOPES);

/** Body of `POST /registerSystemClient`. */
export class RegisterSystemClientDto {
  @ApiProperty({ enum: REGISTRATIONS })
  @IsIn(REGISTRATIONS)
  scope: Registration;

  @ApiPropertyOptional({ minLength: 1, maxLength: 200, description: 'Shown in lists; absent: the scope' })
  @MayBeAbsent()
  @Length(1, 200)
  name?: string;
}
