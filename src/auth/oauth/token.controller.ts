import { Controller, HttpCode, Inject, Logger, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Accepts } from '../../platform/openapi/accepts.js';
import { Allow, NO_STORE } from '../access/decorators.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { documentationAt, publicAddress } from '../access/public-address.js';
import { ClientCredentialsGrant, type IssuedToken, type TokenAnswer } from './client-credentials.grant.js';
import { CREDENTIALS_LIMIT_BYTES } from '../throttling/credentials-limit.js';
import { MalformedTokenRequestFilter } from './malformed-token-request.filter.js';
import { OAuthError, type OAuthErrorBody } from '../tokens/oauth-error.js';
import { parametersOf } from '../tokens/parameters-of.js';
import type { TokenParameters } from '../tokens/token-parameters.js';
import { oauthErrorResponse, TOKEN_ANSWER_SCHEMA, TOKEN_REQUEST_SCHEMA } from './token.schema.js';

/** RFC 9745: parameters in the URL are deprecated since 1 July 2026 (API 2.1). */
const QUERY_DEPRECATION = { Deprecation: `@${Date.UTC(2026, 6, 1) / 1_000}` };
const DEPRECATION = {
  Deprecation: { description: 'If a parameter is in the URL (RFC 9745)', schema: { type: 'string' } },
} as const;

/** Token endpoint (A-1, A-2, A-3; RFC 6749 3.2). */
@ApiTags('Auth')
@Controller()
@UseFilters(MalformedTokenRequestFilter)
export class TokenController {
  private readonly logger = new Logger(TokenController.name);

  constructor(
    private readonly clientCredentials: ClientCredentialsGrant,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>,
  ) {}

  @Post('token')
  @HttpCode(200)
  @Allow('public')
  @Accepts(['json', 'form'], CREDENTIALS_LIMIT_BYTES)
  @ApiOperation({
    operationId: 'auth-token',
    summary: 'Exchange client credentials for an access token',
    description:
      'OAuth 2.0 client credentials, RFC 6749 4.4, by a secret or by a signed assertion (`private_key_jwt`, RFC 7523). The token is a JWT signed with RS256, good for ten minutes at most, unless `ALLOW_LONG_TOKENS` is set. Also served at `/auth/token`.',
  })
  @ApiConsumes('application/x-www-form-urlencoded', 'application/json')
  @ApiBody({ schema: TOKEN_REQUEST_SCHEMA, required: false })
  @ApiResponse({
    status: 200,
    description: 'The access token',
    schema: TOKEN_ANSWER_SCHEMA,
    headers: DEPRECATION,
  })
  @ApiResponse({
    status: 400,
    ...oauthErrorResponse('invalid_request', {
      others: ['unsupported_grant_type', 'invalid_scope'],
      headers: DEPRECATION,
    }),
  })
  @ApiResponse({ status: 401, ...oauthErrorResponse('invalid_client', { headers: DEPRECATION }) })
  async token(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TokenAnswer | OAuthErrorBody> {
    reply.headers(NO_STORE);
    const parameters = parametersOf(request);
    if (parameters.inQuery.length > 0) reply.headers(QUERY_DEPRECATION);
    const outcome = await this.outcome(parameters, request.ip);
    this.noteDeprecated(parameters, outcome instanceof OAuthError ? undefined : outcome.clientId, request.ip);
    if (!(outcome instanceof OAuthError)) return outcome.answer;
    reply.status(outcome.status).headers(outcome.headers);
    return outcome.body(documentationAt(publicAddress(request, this.config)));
  }

  /** Checks the grant first, since it determines the required parameters. */
  private async outcome(parameters: TokenParameters, address: string): Promise<IssuedToken | OAuthError> {
    const grantType = parameters.one('grant_type');
    if (grantType instanceof OAuthError) return grantType;
    if (grantType !== ClientCredentialsGrant.TYPE) {
      return new OAuthError('unsupported_grant_type', `grant_type must be ${ClientCredentialsGrant.TYPE}`);
    }
    return this.clientCredentials.issue(parameters, address, new Date());
  }

  /** Logs the client, or an unauthenticated one's address, since its id may be anything. */
  private noteDeprecated({ inQuery }: TokenParameters, client: Uuid | undefined, address: string): void {
    if (inQuery.length === 0) return;
    const who = client === undefined ? `somebody at ${address}` : `client ${client} at ${address}`;
    this.logger.warn(`deprecated: ${who} brought ${inQuery.join(', ')} in the URL of a token request, not in its body`);
  }
}
