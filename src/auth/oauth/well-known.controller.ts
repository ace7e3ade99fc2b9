import { Controller, Get, Header, Inject, Req } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Allow } from '../access/decorators.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { withinDeadline } from '../../platform/database/connection/within-deadline.js';
import { ASSERTION_ALGORITHMS } from '../clients/client-keys.js';
import { documentationAt, publicAddress, tokenEndpointsOf } from '../access/public-address.js';
import { CLIENT_CREDENTIALS } from '../tokens/token-parameters.js';
import { type PublicKey, SigningKeys } from '../tokens/signing-keys.js';

/** A token may name a new key at any time. */
const FRESH = ['Cache-Control', 'no-cache'] as const;

const MOST_WAIT_MS = 1_000;

/** Public keys and authorization server metadata. */
@ApiTags('Auth')
@Controller('.well-known')
export class WellKnownController {
  /** The key set, memoized for its keys (G-11). */
  private written: { readonly kids: string; readonly text: string } | undefined;

  constructor(
    private readonly keys: SigningKeys,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>,
  ) {}

  @Get()
  @Allow('public')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header(...FRESH)
  @ApiOperation({
    operationId: 'auth-publicKey',
    summary: 'Public key that verifies access tokens, PEM',
    description:
      'The current key alone. Libraries use the JWKS, which has older keys as well until their tokens have expired.',
  })
  @ApiResponse({
    status: 200,
    description: 'SPKI PEM of the key that signs now',
    content: { 'text/plain': { schema: { type: 'string' } } },
  })
  async publicKey(): Promise<string> {
    return (await this.publicKeys())[0].pem;
  }

  /** RFC 7517: every accepted key, the signing key first. */
  @Get('jwks.json')
  @Allow('public')
  @Header(...FRESH)
  @Header('Content-Type', 'application/json; charset=utf-8')
  @ApiOperation({
    operationId: 'auth-jwks',
    summary: 'Public keys that verify access tokens, JWKS',
    description: 'RFC 7517: the current key, and older ones until their tokens have expired.',
  })
  @ApiResponse({ status: 200, description: 'JSON Web Key Set (RFC 7517)', schema: { type: 'object' } })
  async jwks(): Promise<string> {
    const keys = await this.publicKeys();
    const kids = keys.map(({ kid }) => kid).join();
    if (this.written?.kids !== kids) this.written = { kids, text: jwksOf(keys) };
    return this.written.text;
  }

  @Get('oauth-authorization-server')
  @Allow('public')
  @ApiOperation({
    operationId: 'auth-metadata',
    summary: 'Authorization server metadata',
    description:
      'RFC 8414: where tokens come from, and what the server takes. `private_key_jwt` is named if `PUBLIC_URL` is set.',
  })
  @ApiResponse({ status: 200, description: 'Metadata (RFC 8414)', schema: { type: 'object' } })
  metadata(@Req() request: FastifyRequest): object {
    const issuer = publicAddress(request, this.config);
    return {
      issuer,
      token_endpoint: tokenEndpointsOf(issuer)[0],
      ...this.authenticationAt('token_endpoint'),
      revocation_endpoint: `${issuer}/auth/revoke`,
      ...this.authenticationAt('revocation_endpoint'),
      introspection_endpoint: `${issuer}/auth/introspect`,
      ...this.authenticationAt('introspection_endpoint'),
      grant_types_supported: [CLIENT_CREDENTIALS],
      response_types_supported: [],
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      service_documentation: documentationAt(issuer),
    };
  }

  /** Reads the database while the change feed is down (G-3); without a timely answer, the known keys are served. */
  private async publicKeys(): Promise<ReturnType<SigningKeys['publicKeys']>> {
    await withinDeadline(MOST_WAIT_MS, 'The database', this.keys.current()).catch(() => undefined);
    return this.keys.publicKeys();
  }

  /** Member names differ by endpoint. The audience of an assertion is `PUBLIC_URL` (U-10). */
  private authenticationAt(endpoint: string): Readonly<Record<string, readonly string[]>> {
    const secrets = ['client_secret_basic', 'client_secret_post'];
    if (this.config.PUBLIC_URL === undefined) return { [`${endpoint}_auth_methods_supported`]: secrets };
    return {
      [`${endpoint}_auth_methods_supported`]: [...secrets, 'private_key_jwt'],
      [`${endpoint}_auth_signing_alg_values_supported`]: ASSERTION_ALGORITHMS,
    };
  }
}

const jwksOf = (keys: readonly PublicKey[]): string =>
  JSON.stringify({
    keys: keys.map(({ kid, key }) => ({ ...key.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' })),
  });
