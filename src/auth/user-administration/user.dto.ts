import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, MaxLength } from 'class-validator';
import { IsText } from '../../platform/dto/is-text.js';
import { IsUuid } from '../../platform/dto/is-uuid.js';
import { IsWholeNumber } from '../../platform/dto/is-whole-number.js';
import { MayBeAbsent } from '../../platform/dto/members.js';
import { IsPersonName, PersonNameDto } from './new-user.dto.js';
import { EMAIL, IsEmailAddress, IsMobile, IsUsername, MOBILE, USERNAME } from '../users/user-members.js';
import { USER_STATUSES, type UserView } from '../users/user-view.js';
import type { Uuid } from '../../kernel/domain/uuid.js';

export const MOST_USERS = 1_000;

/** Omitted members stay. */
export class UserChangeDto {
  @ApiPropertyOptional(USERNAME)
  @MayBeAbsent()
  @IsUsername()
  username?: string;

  @ApiPropertyOptional({ type: PersonNameDto, description: 'The whole name: one part at least' })
  @MayBeAbsent()
  @IsPersonName()
  name?: PersonNameDto;

  @ApiPropertyOptional({ maxLength: 64, description: 'The id of a role' })
  @MayBeAbsent()
  @MaxLength(64)
  @IsText()
  role?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'The location where the user works' })
  @MayBeAbsent()
  @IsUuid()
  primaryOfficeId?: Uuid;

  @ApiPropertyOptional({ ...EMAIL, type: String, nullable: true })
  @MayBeAbsent()
  @IsEmailAddress({ orNull: true })
  email?: string | null;

  @ApiPropertyOptional({ ...MOBILE, type: String, nullable: true })
  @MayBeAbsent()
  @IsMobile({ orNull: true })
  mobile?: string | null;
}

export class ListUsersDto {
  @MayBeAbsent()
  @IsWholeNumber(0, Number.MAX_SAFE_INTEGER)
  skip = 0;

  @MayBeAbsent()
  @IsWholeNumber(1, MOST_USERS)
  count = 100;

  @MayBeAbsent()
  @MaxLength(64)
  @IsText()
  role?: string;

  @MayBeAbsent()
  @IsUuid()
  officeId?: Uuid;

  @MayBeAbsent()
  @IsIn(USER_STATUSES)
  status?: UserView['status'];
}
