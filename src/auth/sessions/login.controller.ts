import { Body, Controller, Ip } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrorAnswer, CredentialsPost } from '../access/decorators.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import type { SessionTokens } from './session-families.js';
import { RequestThrottle } from '../secrets/failed-credential-limit.js';
import {
  AUTHENTICATED_SCHEMA,
  AuthenticateDto,
  NONCE_SCHEMA,
  ResendCodeDto,
  SESSION_SCHEMA,
  SUPER_USER_SCHEMA,
  SuperUserDto,
  VerifyCodeDto,
} from './login.dto.js';
import { type Authenticated, Logins, SuperUser } from './logins.js';

/** Login (U-2, U-8). */
@ApiTags('Auth')
@Controller()
export class LoginController {
  constructor(
    private readonly logins: Logins,
    private readonly superUser: SuperUser,
    private readonly throttle: RequestThrottle,
  ) {}

  @CredentialsPost('authenticate')
  @ApiOperation({
    operationId: 'auth-authenticate',
    summary: 'Begin a login with user name and password',
    description:
      'A code is sent to the user, which `/auth/verifyCode` takes with the nonce of this answer. ' +
      'At most ten requests a minute for a user name from one address.',
  })
  @ApiResponse({ status: 200, description: 'The password is right', schema: AUTHENTICATED_SCHEMA })
  @ApiErrorAnswer('UNAUTHORIZED', 'The user name or the password is wrong')
  @ApiErrorAnswer('FORBIDDEN', 'The password is right, and the user deactivated, or his office inactive')
  async authenticate(@Body() { username, password }: AuthenticateDto, @Ip() address: string): Promise<Authenticated> {
    await this.throttle.take('authenticate', username, address);
    return this.logins.authenticate(username, password, address);
  }

  @CredentialsPost('verifyCode')
  @ApiOperation({
    operationId: 'auth-verifyCode',
    summary: 'Complete a login with the code that was sent',
    description: 'At most five attempts a login, codes that were sent again included. A right code is good once.',
  })
  @ApiResponse({ status: 200, description: 'The session has begun', schema: SESSION_SCHEMA })
  @ApiErrorAnswer('UNAUTHORIZED', 'The nonce or the code is wrong or has expired, or its attempts are used up')
  async verifyCode(@Body() { nonce, code }: VerifyCodeDto, @Ip() address: string): Promise<SessionTokens> {
    await this.throttle.take('verifyCode', nonce, address);
    return this.logins.verifyCode(nonce, code);
  }

  @CredentialsPost('resendAuthenticationCode')
  @ApiOperation({
    operationId: 'auth-resendAuthenticationCode',
    summary: 'Send another code',
    description: 'It replaces the one before. At most three times a login.',
  })
  @ApiResponse({ status: 200, description: 'Another code is being sent', schema: NONCE_SCHEMA })
  @ApiErrorAnswer('UNAUTHORIZED', 'The nonce is unknown or has expired, or no more codes are sent for it')
  async resend(@Body() { nonce }: ResendCodeDto, @Ip() address: string): Promise<{ readonly nonce: string }> {
    await this.throttle.take('resendAuthenticationCode', nonce, address);
    await this.logins.resendCode(nonce);
    return { nonce };
  }

  @CredentialsPost('authenticate-super-user')
  @ApiOperation({
    operationId: 'auth-authenticate-super-user',
    summary: 'Exchange the password of the set-up for an administrator’s token',
    description:
      'Good until the first national administrator is active, never again after that, and with `SUPER_USER_PASSWORD` alone. ' +
      'At most ten requests a minute, from whomever.',
  })
  @ApiResponse({ status: 200, description: 'The token of a national administrator', schema: SUPER_USER_SCHEMA })
  @ApiErrorAnswer('UNAUTHORIZED', 'The password is wrong, none is configured, or set-up is complete')
  async authenticateSuperUser(
    @Body() { password }: SuperUserDto,
    @Ip() address: string,
  ): Promise<{ readonly token: string }> {
    await this.throttle.take('authenticate-super-user', '', address);
    const token = await this.superUser.authenticate(password, new Date());
    if (token === undefined) throw new ServiceError('UNAUTHORIZED', 'password is wrong');
    return { token };
  }
}
