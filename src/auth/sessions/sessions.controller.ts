import { Member } from '../../platform/dto/members.js';
import { Body, Controller, Ip } from '@nestjs/common';
import { ApiConsumes, ApiOperation, ApiPropertyOptional, ApiResponse, ApiTags } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { IsText } from '../../platform/dto/validators.js';
import { ApiErrorAnswer, CredentialsPost } from '../access/decorators.js';
import { RequestThrottle } from '../secrets/failed-credential-limit.js';
import { NOTHING_SCHEMA, SESSION_SCHEMA, VALIDITY_SCHEMA, VerifyTokenDto } from './login.dto.js';
import { type Admission, SessionFamilies, type SessionTokens } from './session-families.js';
import { TokenIntrospection } from './token-introspection.js';
import { TokenRevocation } from './token-revocation.js';

export class TokenDto {
  @Member({ description: 'A JWT of this service' }, IsText())
  token: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Of clients of releases up to 2.0; it means nothing',
  })
  @IsOptional()
  @IsText()
  nonce?: string | null;
}

@ApiTags('Auth')
@Controller()
export class SessionsController {
  constructor(
    private readonly families: SessionFamilies,
    private readonly revocation: TokenRevocation,
    private readonly introspection: TokenIntrospection,
    private readonly throttle: RequestThrottle,
  ) {}

  @CredentialsPost('refreshToken')
  @ApiOperation({
    operationId: 'auth-refreshToken',
    summary: 'Exchange a refresh token for a new pair of tokens',
    description:
      'The refresh token is good once, and for a minute more in case the answer was lost. A token that is used again ' +
      'later ends its session. An access token is none. At most sixty requests a minute for a session.',
  })
  @ApiResponse({ status: 200, description: 'The tokens that replace it', schema: SESSION_SCHEMA })
  @ApiErrorAnswer('UNAUTHORIZED', 'It is no refresh token, has expired or was used, or its session has ended')
  async refresh(@Body() { token }: TokenDto, @Ip() address: string): Promise<SessionTokens> {
    const admit: Admission = (familyId) => this.throttle.take('refreshToken', familyId, address);
    const tokens = await this.families.refresh(token, new Date(), admit);
    if (tokens === undefined) throw new ServiceError('UNAUTHORIZED', 'The refresh token is not valid');
    return tokens;
  }

  @CredentialsPost('invalidateToken')
  @ApiOperation({
    operationId: 'auth-invalidateToken',
    summary: 'Log out',
    description:
      'Ends the session of a user’s token, be it a refresh token or an access token, or another access token by itself. ' +
      'What is no valid token is left alone.',
  })
  @ApiResponse({ status: 200, description: 'The token is not valid any more', schema: NOTHING_SCHEMA })
  async invalidate(@Body() { token }: TokenDto, @Ip() address: string): Promise<object> {
    const admit: Admission = (familyId) => this.throttle.take('invalidateToken', familyId, address);
    await this.revocation.end(token, new Date(), admit);
    return {};
  }

  @CredentialsPost('verifyToken', ['json', 'form'])
  @ApiConsumes('application/json', 'application/x-www-form-urlencoded')
  @ApiOperation({
    operationId: 'auth-verifyToken',
    summary: 'Ask whether an access token is valid',
    description:
      'Whether the token would be accepted now: its signature, times and audience, and what has become of its client, its ' +
      'session or its user since. Upstream says only whether it was invalidated, and calls garbage valid. Also served at `/auth/verifyToken`.',
  })
  @ApiResponse({ status: 200, description: 'Whether it is valid', schema: VALIDITY_SCHEMA })
  async verify(@Body() { token }: VerifyTokenDto): Promise<{ readonly valid: boolean }> {
    return { valid: await this.introspection.isValid(token) };
  }
}
