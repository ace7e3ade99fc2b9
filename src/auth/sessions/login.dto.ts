import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, Length, MaxLength } from 'class-validator';
import { IsName, IsText, Typed, TypedCode } from '../../platform/dto/validators.js';
import { MayBeAbsent } from '../../platform/dto/members.js';
import { CREDENTIALS_LIMIT_BYTES } from '../throttling/credentials-limit.js';

/** Above any real password. */
const LONGEST_PASSWORD = 1_024;

export class AuthenticateDto {
  @ApiProperty({ minLength: 1, maxLength: 256, description: 'In any letter case, trimmed' })
  @Typed()
  @IsName()
  username: string;

  @ApiProperty({ minLength: 1, maxLength: LONGEST_PASSWORD })
  @IsText()
  @Length(1, LONGEST_PASSWORD)
  password: string;
}

export class VerifyCodeDto {
  @ApiProperty({ minLength: 1, maxLength: 64, description: 'From `authenticate`' })
  @IsText()
  @Length(1, 64)
  nonce: string;

  @ApiProperty({
    minLength: 1,
    maxLength: 64,
    description: 'The six digits that the user was sent, of any script, with spaces and hyphens',
  })
  @TypedCode()
  @IsText()
  @Length(1, 64)
  code: string;
}

export class ResendCodeDto {
  @ApiProperty({ minLength: 1, maxLength: 64, description: 'From `authenticate`' })
  @IsText()
  @Length(1, 64)
  nonce: string;

  @ApiProperty({ minLength: 1, maxLength: 100, description: 'Taken for compatibility, without effect' })
  @IsText()
  @Length(1, 100)
  notificationEvent: string;

  @ApiPropertyOptional({ description: 'Taken for compatibility, without effect: links recover, and no codes' })
  @MayBeAbsent()
  @IsBoolean({ message: 'must be true or false' })
  retrievalFlow?: boolean;

  @ApiPropertyOptional({ description: 'The same as `retrievalFlow`' })
  @MayBeAbsent()
  @IsBoolean({ message: 'must be true or false' })
  retrieveFlow?: boolean;
}

export class SuperUserDto {
  @ApiProperty({ minLength: 1, maxLength: LONGEST_PASSWORD })
  @IsText()
  @Length(1, LONGEST_PASSWORD)
  password: string;
}

export class VerifyTokenDto {
  @ApiProperty({ maxLength: CREDENTIALS_LIMIT_BYTES, description: 'An access token, or anything else' })
  @IsText()
  @MaxLength(CREDENTIALS_LIMIT_BYTES)
  token: string;
}
