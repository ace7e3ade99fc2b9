import { Member, OptionalMember, MayBeAbsent, PassedOn } from '../../platform/dto/members.js';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, Length } from 'class-validator';
import { closedObject } from '../../platform/openapi/schemas.js';
import { IsText, Typed } from '../../platform/dto/validators.js';
import { EMAIL, IsEmailAddress, IsMobile, IsPassword, MOBILE, PASSWORD_LENGTH } from '../users/user-members.js';
import { MOST_QUESTIONS, QUESTION_KEY } from './security-questions.js';

const FLOWS = ['password', 'username'] as const;
const ONE_OF_BOTH = 'This or the other one';
const NONCE = { minLength: 1, maxLength: 64, description: 'From `verifyRecoveryToken`' } as const;

/** `recoveryRequestOf` checks which members belong together. */
export class VerifyUserDto {
  @OptionalMember({ ...EMAIL, description: ONE_OF_BOTH }, Typed(), IsEmailAddress())
  email?: string;

  @OptionalMember({ ...MOBILE, description: ONE_OF_BOTH }, Typed(), IsMobile())
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
  @Member({ minLength: 1, maxLength: 64, description: 'From the link' }, IsText(), Length(1, 64))
  token: string;
}

export class SecurityAnswerDto {
  @Member(NONCE, IsText(), Length(1, 64))
  nonce: string;

  @ApiProperty({ minLength: 1, maxLength: 256, description: 'Letter case, and how many spaces, make no difference' })
  @IsText()
  @Length(1, 256)
  answer: string;
}

export class ChangePasswordDto {
  @Member(NONCE, IsText(), Length(1, 64))
  nonce: string;

  @Member({ minLength: PASSWORD_LENGTH.least, maxLength: PASSWORD_LENGTH.most }, IsPassword())
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
  @Member(NONCE, IsText(), Length(1, 64))
  nonce: string;
}
