import { Member, OptionalMember } from '../../platform/dto/members.js';
import { IsBoolean, Length, MaxLength } from 'class-validator';
import { IsName, IsText, Typed, TypedCode } from '../../platform/dto/validators.js';
import { closedObject, text } from '../../platform/dto/schemas.js';
import { CREDENTIALS_LIMIT_BYTES } from '../access/decorators.js';

const TOKEN = {
  ...text,
  description: 'A JWT for `Authorization: Bearer`, good for ten minutes at most, unless `ALLOW_LONG_TOKENS` is set',
};
const REFRESH_TOKEN = { ...text, description: 'For `/auth/refreshToken` alone' };
const NONCE = { ...text, description: 'Stands for this login in the requests that follow' };

export const AUTHENTICATED_SCHEMA = closedObject(
  {
    nonce: NONCE,
    mobile: text,
    email: text,
    status: { type: 'string', enum: ['active', 'pending'] },
    token: { ...TOKEN, description: 'Only for a pending user, of whom no code is asked' },
    refreshToken: REFRESH_TOKEN,
  },
  { required: ['nonce', 'status'] },
);

export const SESSION_SCHEMA = closedObject({ token: TOKEN, refreshToken: REFRESH_TOKEN });

export const NONCE_SCHEMA = closedObject({ nonce: NONCE });

export const SUPER_USER_SCHEMA = closedObject({ token: TOKEN });

export const NOTHING_SCHEMA = { type: 'object', additionalProperties: false };

export const VALIDITY_SCHEMA = closedObject({ valid: { type: 'boolean' } });

/** Above any real password. */
const LONGEST_PASSWORD = 1_024;

export class AuthenticateDto {
  @Member({ minLength: 1, maxLength: 256, description: 'In any letter case, trimmed' }, Typed(), IsName())
  username: string;

  @Member({ minLength: 1, maxLength: LONGEST_PASSWORD }, IsText(), Length(1, LONGEST_PASSWORD))
  password: string;
}

const CODE = { minLength: 1, maxLength: 64 };

class NonceDto {
  @Member({ ...CODE, description: 'From `authenticate`' }, IsText(), Length(1, 64))
  nonce: string;
}

export class VerifyCodeDto extends NonceDto {
  @Member(
    { ...CODE, description: 'The six digits that the user was sent, of any script, with spaces and hyphens' },
    ...[TypedCode(), IsText(), Length(1, 64)],
  )
  code: string;
}

const WITHOUT_EFFECT = 'Taken for compatibility, without effect';
const IsTrueOrFalse = IsBoolean({ message: 'must be true or false' });

export class ResendCodeDto extends NonceDto {
  @Member({ minLength: 1, maxLength: 100, description: WITHOUT_EFFECT }, IsText(), Length(1, 100))
  notificationEvent: string;

  @OptionalMember({ description: `${WITHOUT_EFFECT}: links recover, and no codes` }, IsTrueOrFalse)
  retrievalFlow?: boolean;

  @OptionalMember({ description: 'The same as `retrievalFlow`' }, IsTrueOrFalse)
  retrieveFlow?: boolean;
}

export class SuperUserDto {
  @Member({ minLength: 1, maxLength: LONGEST_PASSWORD }, IsText(), Length(1, LONGEST_PASSWORD))
  password: string;
}

export class VerifyTokenDto {
  @Member(
    { maxLength: CREDENTIALS_LIMIT_BYTES, description: 'An access token, or anything else' },
    ...[IsText(), MaxLength(CREDENTIALS_LIMIT_BYTES)],
  )
  token: string;
}
