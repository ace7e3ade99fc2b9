import { Body, Controller, HttpCode, Ip, Post, Res } from '@nestjs/common';
import { ApiConsumes, ApiOperation, ApiProperty, ApiPropertyOptional, ApiResponse, ApiTags } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { IsText } from '../../platform/dto/validators.js';
import { Accepts } from '../../platform/openapi/accepts.js';
import { ApiErrorAnswer } from '../access/api-error-answer.js';
import { Allow, NO_STORE } from '../access/decorators.js';
import { CREDENTIALS_LIMIT_BYTES } from '../throttling/credentials-limit.js';
import { RequestThrottle } from '../throttling/request-throttle.js';
import { VerifyTokenDto } from './login.dto.js';
import { VALIDITY_SCHEMA } from './login.schema.js';
import { type Admission, SessionFamilies, type SessionTokens } from './session-families.js';
import { NOTHING_SCHEMA, SESSION_TOKENS_SCHEMA } from './sessions.schema.js';
import { TokenIntrospection } from './token-introspection.js';
import { TokenRevocation } from './token-revocation.js';

export class TokenDto {
  @ApiProperty({ description: 'A JWT of this service' })
  @IsText()
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

/** Session refresh and end (U-2, U-3). */
@ApiTags('Auth')
@Controller()
export class SessionsController {
  constructor(
    private readonly families: SessionFamilies,
    private readonly revocation: TokenRevocation,
    private readonly introspection: TokenIntrospection,
    private readonly throttle: RequestThrottle,
  ) {}

  @Post('refreshToken')
  @HttpCode(200)
  @Allow('public')
  @Accepts(['json'], CREDENTIALS_LIMIT_BYTES)
  @ApiOperation({
    operationId: 'auth-refreshToken',
    summary: 'Exchange a refresh token for a new pair of tokens',
    description:
      'The refresh token is good once, and for a minute more in case the answer was lost. A token that is used again ' +
      'later ends its session. An access token is none. At most sixty requests a minute for a session.',
  })
  @ApiResponse({ status: 200, description: 'The tokens that replace it', schema: SESSION_TOKENS_SCHEMA })
  @ApiErrorAnswer('UNAUTHORIZED', 'It is no refresh token, has expired or was used, or its session has ended')
  async refresh(
    @Body() { token }: TokenDto,
    @Ip() address: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionTokens> {
    reply.headers(NO_STORE);
    const admit: Admission = (familyId) => this.throttle.take('refreshToken', familyId, address);
    const tokens = await this.families.refresh(token, new Date(), admit);
    if (tokens === undefined) throw new ServiceError('UNAUTHORIZED', 'The refresh token is not valid');
    return tokens;
  }

  @Post('invalidateToken')
  @HttpCode(200)
  @Allow('public')
  @Accepts(['json'], CREDENTIALS_LIMIT_BYTES)
  @ApiOperation({
    operationId: 'auth-invalidateToken',
    summary: 'Log out',
    description:
      'Ends the session of a user’s token, be it a refresh token or an access token, or another access token by itself. ' +
      'What is no valid token is left alone.',
  })
  @ApiResponse({ status: 200, description: 'The token is not valid any more', schema: NOTHING_SCHEMA })
  async invalidate(
    @Body() { token }: TokenDto,
    @Ip() address: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    reply.headers(NO_STORE);
    const admit: Admission = (familyId) => this.throttle.take('invalidateToken', familyId, address);
    await this.revocation.end(token, new Date(), admit);
    return {};
  }

  @Post('verifyToken')
  @HttpCode(200)
  @Allow('public')
  @Accepts(['json', 'form'], CREDENTIALS_LIMIT_BYTES)
  @ApiConsumes('application/json', 'application/x-www-form-urlencoded')
  @ApiOperation({
    operationId: 'auth-verifyToken',
    summary: 'Ask whether an access token is valid',
    description:
      'Whether the token would be accepted now: its signature, times and audience, and what has become of its client, its ' +
      'session or its user since. Upstream says only whether it was invalidated, and calls garbage valid. Also served at `/auth/verifyToken`.',
  })
  @ApiResponse({ status: 200, description: 'Whether it is valid', schema: VALIDITY_SCHEMA })
  async verify(
    @Body() { token }: VerifyTokenDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ readonly valid: boolean }> {
    reply.headers(NO_STORE);
    return { valid: await this.introspection.isValid(token) };
  }
}
