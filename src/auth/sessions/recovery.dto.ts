import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, Length } from 'class-validator';
import { closedObject } from '../../platform/openapi/schemas.js';
import { IsText, Typed } from '../../platform/dto/validators.js';
import { MayBeAbsent, PassedOn } from '../../platform/dto/members.js';
import { IsPassword, PASSWORD_LENGTH } from '../users/is-password.js';
import { EMAIL, IsEmailAddress, IsMobile, MOBILE } from '../users/user-members.js';
import { MOST_QUESTIONS, QUESTION_KEY } from './read-security-answers.js';

const FLOWS = ['password', 'username'] as const;
const ONE_OF_BOTH = 'This or the other one';
const NONCE = { minLength: 1, maxLength: 64, description: 'From `verifyRecoveryToken`' } as const;

/** `recoveryRequestOf` checks which members belong together. */
export class VerifyUserDto {
  @ApiPropertyOptional({ ...EMAIL, description: ONE_OF_BOTH })
  @MayBeAbsent()
  @Typed()
  @IsEmailAddress()
  email?: string;

  @ApiPropertyOptional({ ...MOBILE, description: ONE_OF_BOTH })
  @MayBeAbsent()
  @Typed()
  @IsMobile()
  mobile?: string;

  @ApiPropertyOptional({ enum: FLOWS, description: 'What is to be recovered; required under one of its names' })
  @MayBeAbsent()
  @IsIn(FLOWS, { message: 'must be password or username' })
  retrieveFlow?: (typeof FLOWS)[number];

  @ApiPropertyOptional({ enum: FLOWS, description: 'The same as `retrieveFlow`' })
  @MayBeAbsent()
  @IsIn(FLOWS, { message: 'must be password or username' })
  retrievalFlow?: (typeof FLOWS)[number];
}

export class RecoveryTokenDto {
  @ApiProperty({ minLength: 1, maxLength: 64, description: 'From the link' })
  @IsText()
  @Length(1, 64)
  token: string;
}

export class SecurityAnswerDto {
  @ApiProperty(NONCE)
  @IsText()
  @Length(1, 64)
  nonce: string;

  @ApiProperty({ minLength: 1, maxLength: 256, description: 'Letter case, and how many spaces, make no difference' })
  @IsText()
  @Length(1, 256)
  answer: string;
}

export class ChangePasswordDto {
  @ApiProperty(NONCE)
  @IsText()
  @Length(1, 64)
  nonce: string;

  @ApiProperty({ minLength: PASSWORD_LENGTH.least, maxLength: PASSWORD_LENGTH.most })
  @IsPassword()
  newPassword: string;

  @ApiPropertyOptional({
    type: 'array',
    minItems: 1,
    maxItems: MOST_QUESTIONS,
    description: 'Replace the questions that the user has; none changes nothing',
    items: closedObject({
      questionKey: { type: 'string', pattern: QUESTION_KEY.source, description: '`BIRTH_TOWN`' },
      answer: { type: 'string', minLength: 1, maxLength: 256 },
    }),
  })
  @PassedOn()
  securityQuestions?: unknown;
}

export class SendUserNameDto {
  @ApiProperty(NONCE)
  @IsText()
  @Length(1, 64)
  nonce: string;
}
