import { Controller, HttpCode, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Accepts } from '../../platform/openapi/accepts.js';
import { Allow, NO_STORE } from '../access/decorators.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { documentationAt, publicAddress } from '../access/public-address.js';
import { type AuthenticatedClient, ClientAuthentication } from '../clients/client-authentication.js';
import { CREDENTIALS_LIMIT_BYTES } from '../throttling/credentials-limit.js';
import { MalformedTokenRequestFilter } from './malformed-token-request.filter.js';
import { invalidRequest, OAuthError, type OAuthErrorBody } from '../tokens/oauth-error.js';
import { parametersOf } from '../tokens/parameters-of.js';
import { oauthErrorResponse } from './token.schema.js';
import { INTROSPECTION_SCHEMA, NOTHING_SCHEMA, TOKEN_PARAMETERS_SCHEMA } from '../sessions/sessions.schema.js';
import { type Introspection, TokenIntrospection } from '../sessions/token-introspection.js';
import { TokenRevocation } from '../sessions/token-revocation.js';

const FORMS = ['application/x-www-form-urlencoded', 'application/json'] as const;

/** Token revocation (RFC 7009) and introspection (RFC 7662) for clients (U-10). */
@ApiTags('Auth')
@Controller()
@UseFilters(MalformedTokenRequestFilter)
export class OAuthTokensController {
  constructor(
    private readonly clients: ClientAuthentication,
    private readonly revocation: TokenRevocation,
    private readonly introspection: TokenIntrospection,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>,
  ) {}

  @Post('revoke')
  @HttpCode(200)
  @Allow('public')
  @Accepts(['json', 'form'], CREDENTIALS_LIMIT_BYTES)
  @ApiOperation({
    operationId: 'auth-revoke',
    summary: 'Revoke an access token of one’s own',
    description:
      'RFC 7009. From then on the token is refused: at once by this process, within two seconds by others. The answer is ' +
      'the same for a token that is not valid. A client may have a thousand revoked tokens that have not expired; fewer if others have very many.',
  })
  @ApiConsumes(...FORMS)
  @ApiBody({ schema: TOKEN_PARAMETERS_SCHEMA })
  @ApiResponse({ status: 200, description: 'The token is not valid any more', schema: NOTHING_SCHEMA })
  @ApiResponse({
    status: 400,
    ...oauthErrorResponse('invalid_request', {
      others: ['unsupported_token_type'],
      description: 'invalid_request, also for a token of another; unsupported_token_type',
    }),
  })
  @ApiResponse({ status: 401, ...oauthErrorResponse('invalid_client') })
  revoke(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | OAuthErrorBody> {
    return this.answer(request, reply, async (client, token) => (await this.revocation.revoke(client, token)) ?? {});
  }

  @Post('introspect')
  @HttpCode(200)
  @Allow('public')
  @Accepts(['json', 'form'], CREDENTIALS_LIMIT_BYTES)
  @ApiOperation({
    operationId: 'auth-introspect',
    summary: 'Ask whether a token is valid, and what it may do',
    description:
      'RFC 7662, for services that other clients’ tokens come to. A client may ask about its own access tokens; with the ' +
      'scope `token.introspect` about all tokens, users’ refresh tokens included.',
  })
  @ApiConsumes(...FORMS)
  @ApiBody({ schema: TOKEN_PARAMETERS_SCHEMA })
  @ApiResponse({ status: 200, description: 'What the token is', schema: INTROSPECTION_SCHEMA })
  @ApiResponse({ status: 400, ...oauthErrorResponse('invalid_request') })
  @ApiResponse({ status: 401, ...oauthErrorResponse('invalid_client') })
  introspect(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Introspection | OAuthErrorBody> {
    return this.answer(request, reply, (client, token) => this.introspection.of(token, client));
  }

  private async answer<T extends object>(
    request: FastifyRequest,
    reply: FastifyReply,
    deal: (client: AuthenticatedClient, token: string) => Promise<T | OAuthError>,
  ): Promise<T | OAuthErrorBody> {
    reply.headers(NO_STORE);
    const outcome = await this.outcome(request, deal);
    if (!(outcome instanceof OAuthError)) return outcome;
    reply.status(outcome.status).headers(outcome.headers);
    return outcome.body(documentationAt(publicAddress(request, this.config)));
  }

  /** Checks the client first, so that strangers learn nothing about a token. */
  private async outcome<T>(
    request: FastifyRequest,
    deal: (client: AuthenticatedClient, token: string) => Promise<T | OAuthError>,
  ): Promise<T | OAuthError> {
    const parameters = parametersOf(request);
    // URLs are logged; only the token endpoint must accept older clients' parameters in them (A-1).
    if (parameters.inQuery.length > 0) {
      return invalidRequest(`${parameters.inQuery.join(', ')} must be in the body`);
    }
    const client = await this.clients.ofRequest(parameters, request.ip);
    if (client instanceof OAuthError) return client;
    const token = parameters.one('token');
    if (token instanceof OAuthError) return token;
    if (token === undefined) return invalidRequest('token must be given');
    return deal(client, token);
  }
}
