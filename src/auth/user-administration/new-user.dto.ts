import { Checked, Member, OptionalMember, Nested } from '../../platform/dto/members.js';
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { MaxLength } from 'class-validator';
import { IsName, IsText, IsUuid } from '../../platform/dto/validators.js';
import { uuid } from '../../platform/dto/schemas.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { EMAIL, IsEmailAddress, IsMobile, IsPassword, IsUsername, MOBILE, USERNAME } from '../users/user-members.js';

export class PersonNameDto {
  @ApiPropertyOptional({ type: String, maxLength: 256 })
  @IsName({ orEmpty: true })
  firstname = '';

  @ApiPropertyOptional({ type: String, maxLength: 256 })
  @IsName({ orEmpty: true })
  surname = '';
}

/** Many persons have one name alone (U-6). */
export const IsPersonName = (): PropertyDecorator =>
  applyDecorators(
    Nested(PersonNameDto),
    Checked(
      'isPersonName',
      (name) => !(name instanceof PersonNameDto) || name.firstname !== '' || name.surname !== '',
      'must have a firstname or a surname',
    ),
  );

/** Also a line of `matricula users import` (U-6). */
export class NewUserDto {
  @Member(USERNAME, IsUsername())
  username: string;

  @Member({ type: PersonNameDto, description: 'One part at least' }, IsPersonName())
  name: PersonNameDto;

  @Member({ maxLength: 64, description: 'The id of a role: `LOCAL_REGISTRAR`' }, MaxLength(64), IsText())
  role: string;

  @Member({ ...uuid, description: 'The location where the user works' }, IsUuid())
  primaryOfficeId: Uuid;

  @OptionalMember(EMAIL, IsEmailAddress())
  email?: string;

  @OptionalMember(MOBILE, IsMobile())
  mobile?: string;

  @OptionalMember(
    { minLength: 8, maxLength: 256, description: 'Absent: the user is pending, and is sent a link to set it' },
    IsPassword(),
  )
  password?: string;
}
