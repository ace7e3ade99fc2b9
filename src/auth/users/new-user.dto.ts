import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsEmail, IsString, Matches, MaxLength, ValidateBy } from 'class-validator';

import { IsName } from '../../access/dto/is-name.js';
import { IsUuid } from '../../access/dto/is-uuid.js';
import { MayBeAbsent, Nested } from '../../access/dto/members.js';
import type { Uuid } from '../../domain/uuid.js';
import { IsPassword } from '../passwords/is-password.js';

const USERNAME = /^[\p{L}\p{M}\p{N}._@+'-]{1,64}$/u;

/** A member that can be a user name (U-6); it is kept in NFC. */
const IsUsername = (): PropertyDecorator =>
  ValidateBy({
    name: 'isUsername',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && value.length <= 256 && USERNAME.test(value.normalize('NFC')),
      defaultMessage: () => "must be 1 to 64 letters, digits, `.`, `_`, `@`, `+`, `'` and `-`",
    },
  });

/** The name of a person. */
export class PersonNameDto {
  @ApiProperty({ minLength: 1, maxLength: 256 })
  @IsName()
  firstname: string;

  @ApiProperty({ minLength: 1, maxLength: 256 })
  @IsName()
  surname: string;
}

/** Body of `POST /users`, and a line of `matricula users import` (U-6). */
export class NewUserDto {
  @ApiProperty({
    minLength: 1,
    maxLength: 64,
    description: 'Letters, digits, `.`, `_`, `@`, `+`, apostrophe and `-`; unique regardless of letter case',
  })
  @IsUsername()
  username: string;

  @ApiProperty({ type: PersonNameDto })
  @Nested(PersonNameDto)
  name: PersonNameDto;

  @ApiProperty({ description: 'The id of a role: `LOCAL_REGISTRAR`' })
  @MaxLength(64)
  @IsString()
  role: string;

  @ApiProperty({ format: 'uuid', description: 'The location where the user works' })
  @IsUuid()
  primaryOfficeId: Uuid;

  @ApiPropertyOptional({ format: 'email', maxLength: 254 })
  @MayBeAbsent()
  @IsEmail({}, { message: 'must be an e-mail address' })
  email?: string;

  @ApiPropertyOptional({ pattern: '^\\+?[0-9]{4,20}$' })
  @MayBeAbsent()
  @Matches(/^\+?[0-9]{4,20}$/, { message: 'must be 4 to 20 digits, which a `+` may precede' })
  mobile?: string;

  @ApiPropertyOptional({
    minLength: 8,
    maxLength: 256,
    description: 'Absent: the user is pending, and is sent a link to set it',
  })
  @MayBeAbsent()
  @IsPassword()
  password?: string;
}
