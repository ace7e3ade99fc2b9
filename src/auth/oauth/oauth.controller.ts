import {
  applyDecorators,
  type ArgumentsHost,
  Body,
  Catch,
  Controller,
  type ExceptionFilter,
  Inject,
  Logger,
  Req,
  Res,
  UseFilters,
} from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiOperation,
  ApiResponse,
  type ApiResponseNoStatusOptions,
  ApiTags,
} from '@nestjs/swagger';
import { IsString } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { Member } from '../../platform/dto/members.js';
import { closedObject, text, uuid } from '../../platform/dto/schemas.js';
import { ApiErrorAnswer, CredentialsPost } from '../access/decorators.js';
import { documentationAt, publicAddress } from '../access/public-address.js';
import { JWT_BEARER } from '../clients/client-assertions.js';
import { type AuthenticatedClient, ClientAuthentication } from '../clients/client-authentication.js';
import { NOTHING_SCHEMA } from '../sessions/login.dto.js';
import { TokenIntrospection } from '../sessions/token-introspection.js';
import { TokenRevocation } from '../sessions/token-revocation.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import {
  CLIENT_CREDENTIALS,
  invalidRequest,
  narrowedScopes,
  OAuthError,
  type OAuthErrorCode,
  parametersOf,
  type TokenParameters,
} from '../tokens/token-parameters.js';

const TOKEN_PARAMETERS_SCHEMA = {
  type: 'object',
  title: 'TokenToDealWith',
  description: 'As a form or as JSON, the credentials also by HTTP Basic; nothing in the URL.',
  properties: {
    token: text,
    token_type_hint: { ...text, description: 'Not needed: the kind of a token is seen from the token' },
    client_id: uuid,
    client_secret: text,
    client_assertion: { ...text, description: 'In place of the secret, as at the token endpoint' },
    client_assertion_type: text,
  },
  required: ['token'],
};

/** RFC 7662 2.2. */
const INTROSPECTION_SCHEMA = closedObject(
  {
    active: { type: 'boolean', description: 'Where it is false there is nothing else' },
    scope: { ...text, description: 'What an access token may do now, between spaces' },
    client_id: { ...uuid, description: 'Of a client’s token' },
    token_type: { type: 'string', enum: ['Bearer'], description: 'Of an access token' },
    userType: { type: 'string', enum: ['user', 'system'] },
    role: { ...text, description: 'Of a session’s user, as it is now' },
    office: { ...uuid, description: 'Where the user works now' },
    iss: text,
    sub: text,
    aud: { type: 'array', items: text },
    exp: { type: 'integer' },
    iat: { type: 'integer' },
    jti: text,
  },
  { required: ['active'] },
);

const TOKEN_REQUEST_SCHEMA = {
  type: 'object',
  // Otherwise client generators name it like the operation's own parameters.
  title: 'TokenParameters',
  description:
    'As a form or as JSON; the two credentials also by HTTP Basic, and all of it in the URL (deprecated). ' +
    'With an assertion (RFC 7523) there is no secret.',
  properties: {
    grant_type: { type: 'string', enum: [CLIENT_CREDENTIALS] },
    client_id: uuid,
    client_secret: text,
    client_assertion: {
      ...text,
      maxLength: 8192,
      description:
        'A JWT that one of the client’s registered keys has signed, for `PUBLIC_URL`, good once, for 5 minutes',
    },
    client_assertion_type: { type: 'string', enum: [JWT_BEARER] },
    scope: {
      ...text,
      description:
        'Scopes of the client between spaces, in any of their spellings: the token has these alone. ' +
        'Absent: all that the client holds. One that it does not hold: 400 invalid_scope.',
      examples: ['recordsearch', 'type=record.search&event=birth,death'],
    },
  },
};

const OLDER_ANSWER_SCHEMA = closedObject({ token: text });

const TOKEN_ANSWER_SCHEMA = closedObject(
  {
    access_token: { ...text, description: 'A JWT for `Authorization: Bearer`' },
    token_type: { type: 'string', enum: ['Bearer'] },
    expires_in: { type: 'integer', description: 'Lifetime in seconds; absent with TOKEN_RESPONSE=minimal' },
    scope: {
      ...text,
      description:
        'The granted scopes between spaces; absent with TOKEN_RESPONSE=minimal, unless the request has `scope`',
    },
  },
  { required: ['access_token', 'token_type'] },
);

const OAUTH_DESCRIPTIONS = {
  invalid_request: 'client_id and client_secret must be given',
  invalid_client: 'client_id or client_secret is wrong',
} as const;

interface OAuthErrors {
  readonly others?: readonly OAuthErrorCode[];
  readonly description?: string;
  readonly headers?: ApiResponseNoStatusOptions['headers'];
}

/** `error` or one of `others` (A-3); `error` is the example. */
const oauthErrorResponse = (
  error: keyof typeof OAUTH_DESCRIPTIONS,
  { others = [], description = [error, ...others].join(', '), headers = {} }: OAuthErrors = {},
): ApiResponseNoStatusOptions => ({
  description,
  schema: {
    type: 'object',
    description: 'RFC 6749 5.2',
    properties: {
      error: { type: 'string', enum: [error, ...others] },
      error_description: text,
      error_uri: { type: 'string', format: 'uri' },
    },
    required: ['error', 'error_description', 'error_uri'],
    additionalProperties: false,
  },
  example: { error, error_description: OAUTH_DESCRIPTIONS[error], error_uri: 'https://register.example.org/docs' },
  headers: {
    ...headers,
    ...(error === 'invalid_client' && {
      'WWW-Authenticate': { description: '`Basic`, if the request used it', schema: { type: 'string' } },
    }),
  },
});

const NOT_IN_A_DESCRIPTION = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g;

class MalformedTokenRequest {
  static [Symbol.hasInstance](error: unknown): boolean {
    return error instanceof ServiceError && error.code === 'BAD_REQUEST';
  }
}

/** Answers 400 `invalid_request` (RFC 6749 5.2, A-3) for bodies refused before the controller. */
@Catch(MalformedTokenRequest)
class MalformedTokenRequestFilter implements ExceptionFilter<ServiceError> {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>) {}

  async catch({ issues, message, headers }: ServiceError, host: ArgumentsHost): Promise<void> {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const faults = issues.length > 0 ? issues.map((issue) => issue.message).join(', ') : message;
    const error = invalidRequest(faults.replaceAll(NOT_IN_A_DESCRIPTION, "'"));
    await reply
      .status(error.status)
      .headers(headers)
      .send(error.body(documentationAt(publicAddress(request, this.config))));
  }
}

/** RFC 9745: parameters in the URL are deprecated since 1 July 2026 (API 2.1). */
const QUERY_DEPRECATION = { Deprecation: `@${Date.UTC(2026, 6, 1) / 1_000}` };
const DEPRECATION = {
  Deprecation: { description: 'If a parameter is in the URL (RFC 9745)', schema: { type: 'string' } },
} as const;

/** Takes a form or JSON, and answers with the errors of RFC 6749. */
const OAuthPost = (path: string): MethodDecorator =>
  applyDecorators(
    CredentialsPost(path, ['json', 'form']),
    ApiConsumes('application/x-www-form-urlencoded', 'application/json'),
    UseFilters(MalformedTokenRequestFilter),
  );

class ClientCredentialsDto {
  @Member({}, IsString())
  client_id: string;

  @Member({}, IsString())
  client_secret: string;
}

/**
 * Tokens (A-1, A-2, A-3; RFC 6749 3.2), their revocation (RFC 7009) and introspection (RFC 7662) for clients (U-10).
 */
@ApiTags('Auth')
@Controller()
export class OAuthController {
  private readonly logger = new Logger(OAuthController.name);

  constructor(
    private readonly clients: ClientAuthentication,
    private readonly tokens: AccessTokens,
    private readonly revocation: TokenRevocation,
    private readonly introspection: TokenIntrospection,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL' | 'TOKEN_RESPONSE'>,
  ) {}

  @OAuthPost('token')
  @ApiOperation({
    operationId: 'auth-token',
    summary: 'Exchange client credentials for an access token',
    description:
      'OAuth 2.0 client credentials, RFC 6749 4.4, by a secret or by a signed assertion (`private_key_jwt`, RFC 7523). The token is a JWT signed with RS256, good for ten minutes at most, unless `ALLOW_LONG_TOKENS` is set. Also served at `/auth/token`.',
  })
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
  async token(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const parameters = parametersOf(request);
    if (parameters.inQuery.length > 0) reply.headers(QUERY_DEPRECATION);
    const outcome = await this.issued(parameters, request.ip);
    const isIssued = !(outcome instanceof OAuthError);
    if (parameters.inQuery.length > 0) {
      // The id of a client that is not authenticated may be anything.
      const who = `${isIssued ? `client ${outcome.clientId}` : 'somebody'} at ${request.ip}`;
      const names = parameters.inQuery.join(', ');
      this.logger.warn(`deprecated: ${who} brought ${names} in the URL of a token request, not in its body`);
    }
    return this.answer(request, reply, isIssued ? outcome.answer : outcome);
  }

  /** Checks the grant first, since it determines the required parameters (A-3). */
  private async issued(
    parameters: TokenParameters,
    address: string,
  ): Promise<{ readonly clientId: Uuid; readonly answer: object } | OAuthError> {
    const grantType = parameters.one('grant_type');
    if (grantType instanceof OAuthError) return grantType;
    if (grantType !== CLIENT_CREDENTIALS) {
      return new OAuthError('unsupported_grant_type', `grant_type must be ${CLIENT_CREDENTIALS}`);
    }
    const asked = parameters.one('scope');
    if (asked instanceof OAuthError) return asked;
    const client = await this.clients.ofRequest(parameters, address);
    if (client instanceof OAuthError) return client;
    const scopes = asked === undefined ? client.scopes : narrowedScopes(client.scopes, asked);
    if (scopes === undefined) return new OAuthError('invalid_scope', 'scope must name scopes of the client alone');
    const isFull = this.config.TOKEN_RESPONSE === 'oauth';
    const answer = {
      access_token: await this.tokens.clientToken({ ...client, scopes }, new Date()),
      token_type: 'Bearer',
      ...(isFull && { expires_in: this.tokens.clientTokenSeconds }),
      // A request with scopes is told the granted ones (A-12).
      ...((isFull || asked !== undefined) && { scope: scopes.join(' ') }),
    };
    return { clientId: client.clientId, answer };
  }

  @OAuthPost('revoke')
  @ApiOperation({
    operationId: 'auth-revoke',
    summary: 'Revoke an access token of one’s own',
    description:
      'RFC 7009. From then on the token is refused: at once by this process, within two seconds by others. The answer is ' +
      'the same for a token that is not valid. A client may have a thousand revoked tokens that have not expired; fewer if others have very many.',
  })
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
  async revoke(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const outcome = await this.askedOf(request, (client, token) => this.revocation.revoke(client, token));
    return this.answer(request, reply, outcome ?? {});
  }

  @OAuthPost('introspect')
  @ApiOperation({
    operationId: 'auth-introspect',
    summary: 'Ask whether a token is valid, and what it may do',
    description:
      'RFC 7662, for services that other clients’ tokens come to. A client may ask about its own access tokens; with the ' +
      'scope `token.introspect` about all tokens, users’ refresh tokens included.',
  })
  @ApiBody({ schema: TOKEN_PARAMETERS_SCHEMA })
  @ApiResponse({ status: 200, description: 'What the token is', schema: INTROSPECTION_SCHEMA })
  @ApiResponse({ status: 400, ...oauthErrorResponse('invalid_request') })
  @ApiResponse({ status: 401, ...oauthErrorResponse('invalid_client') })
  async introspect(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const outcome = await this.askedOf(request, (client, token) => this.introspection.of(token, client));
    return this.answer(request, reply, outcome);
  }

  private answer(request: FastifyRequest, reply: FastifyReply, outcome: object): object {
    if (!(outcome instanceof OAuthError)) return outcome;
    reply.status(outcome.status).headers(outcome.headers);
    return outcome.body(documentationAt(publicAddress(request, this.config)));
  }

  /** Checks the client first, so that strangers learn nothing about a token. */
  private async askedOf<T>(
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

  /** The older token route (A-4). */
  @CredentialsPost('authenticateSystemClient')
  @ApiOperation({
    operationId: 'auth-authenticateSystemClient',
    summary: 'Exchange client credentials for an access token (older form)',
    description: 'As the token endpoint, with the names of OpenCRVS 1.x.',
    deprecated: true,
  })
  @ApiResponse({ status: 200, description: 'The access token', schema: OLDER_ANSWER_SCHEMA })
  @ApiErrorAnswer('UNAUTHORIZED', 'The credentials are wrong')
  async authenticate(
    @Body() { client_id: clientId, client_secret: clientSecret }: ClientCredentialsDto,
    @Req() request: FastifyRequest,
  ): Promise<{ readonly token: string }> {
    const client = await this.clients.authenticate({ clientId, clientSecret }, request.ip);
    if (client === undefined) throw new ServiceError('UNAUTHORIZED', 'client_id or client_secret is wrong');
    return { token: await this.tokens.clientToken(client, new Date()) };
  }
}
