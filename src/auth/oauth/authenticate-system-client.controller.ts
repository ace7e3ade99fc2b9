import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiResponse, ApiTags } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { Accepts } from '../../platform/openapi/accepts.js';
import { Allow, NO_STORE } from '../access/decorators.js';
import { ClientAuthentication } from '../clients/client-authentication.js';
import { CREDENTIALS_LIMIT_BYTES } from '../throttling/credentials-limit.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import { OLDER_ANSWER_SCHEMA } from './token.schema.js';

export class ClientCredentialsDto {
  @ApiProperty()
  @IsString()
  client_id: string;

  @ApiProperty()
  @IsString()
  client_secret: string;
}

/** The older token route. */
@ApiTags('Auth')
@Controller()
export class AuthenticateSystemClientController {
  constructor(
    private readonly clients: ClientAuthentication,
    private readonly tokens: AccessTokens,
  ) {}

  @Post('authenticateSystemClient')
  @HttpCode(200)
  @Allow('public')
  @Accepts(['json'], CREDENTIALS_LIMIT_BYTES)
  @ApiOperation({
    operationId: 'auth-authenticateSystemClient',
    summary: 'Exchange client credentials for an access token (older form)',
    description: 'As the token endpoint, with the names of OpenCRVS 1.x.',
    deprecated: true,
  })
  @ApiResponse({ status: 200, description: 'The access token', schema: OLDER_ANSWER_SCHEMA })
  @ApiResponse({
    status: 401,
    description: 'The credentials are wrong',
    schema: { $ref: '#/components/schemas/ErrorObject' },
  })
  async authenticate(
    @Body() { client_id: clientId, client_secret: clientSecret }: ClientCredentialsDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ readonly token: string }> {
    reply.headers(NO_STORE);
    const client = await this.clients.authenticate({ clientId, clientSecret }, request.ip);
    if (client === undefined) throw new ServiceError('UNAUTHORIZED', 'client_id or client_secret is wrong');
    return { token: await this.tokens.clientToken(client, new Date()) };
  }
}
