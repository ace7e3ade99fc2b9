import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { JWT_BEARER, receivedAssertion } from './client-assertion.js';
import { ClientAssertions } from './client-assertions.js';
import { ClientSecretHash } from '../secrets/client-secret-hash.js';
import { type CredentialPair, FailedCredentialLimit } from '../throttling/failed-credential-limit.js';
import { invalidRequest, OAuthError } from '../tokens/oauth-error.js';
import type { TokenParameters } from '../tokens/token-parameters.js';
import { isSecretOf, type StoredSecrets } from './client-secrets.js';
import { ClientLookUps } from './client-look-ups.js';
import { type ActiveClient, ClientStatus } from './client-status.js';
import { NO_CLIENT } from './stored-client.js';

/** The credentials of a client, as received. */
export interface GivenCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Another reading of the secret, where there is one: either may be right. */
  readonly writtenSecret?: string | undefined;
}

/** An authenticated client. */
export interface AuthenticatedClient {
  readonly clientId: Uuid;
  readonly scopes: readonly string[];
}

/**
 * Checks who a client is: for the token endpoint, those of revocation and introspection, and for the older
 * `/authenticateSystemClient`.
 */
@Injectable()
export class ClientAuthentication {
  constructor(
    private readonly lookUps: ClientLookUps,
    private readonly secretHash: ClientSecretHash,
    private readonly limit: FailedCredentialLimit,
    private readonly status: ClientStatus,
    private readonly assertions: ClientAssertions,
  ) {}

  /**
   * The client of a request to an OAuth endpoint, by its secret (HTTP Basic, or in the body) or by an assertion (RFC
   * 7523); `invalid_request` without credentials or with both kinds, `invalid_client` with wrong ones, in the same
   * bytes whatever is wrong. Throws 429 as `authenticate` does. `address`: the peer's (G-8).
   */
  async ofRequest(
    parameters: TokenParameters,
    address: string,
    now = new Date(),
  ): Promise<AuthenticatedClient | OAuthError> {
    const given = parameters.all('client_id', 'client_secret', 'client_assertion', 'client_assertion_type');
    if (given instanceof OAuthError) return given;
    const { client_id: clientId, client_secret: clientSecret, client_assertion: assertion } = given;
    const type = given.client_assertion_type;
    if (assertion !== undefined || type !== undefined) {
      if (clientSecret !== undefined || parameters.usesBasic)
        return invalidRequest('a client authenticates in one way');
      if (assertion === undefined) return invalidRequest('client_assertion must be given');
      if (type !== JWT_BEARER) return invalidRequest(`client_assertion_type must be ${JWT_BEARER}`);
      return (await this.byAssertion(assertion, clientId, address, now)) ?? wrongAssertion();
    }
    if (clientId === undefined || clientSecret === undefined) {
      return invalidRequest('client_id and client_secret must be given');
    }
    const { usesBasic, writtenSecret } = parameters;
    const client = await this.authenticate({ clientId, clientSecret, writtenSecret }, address);
    return client ?? wrongCredentials(usesBasic);
  }

  /**
   * The client; undefined if it is unknown, deactivated or has a different secret, all after the same work.
   * Throws 429 for a pair of client and address that failed too often, whatever its secret, or has too many attempts at
   * once (G-8), and 503 where too many credentials wait for the database.
   *
   * An active client is known in memory. A client that is not known there with this secret is looked up, so that one
   * just registered by another process gets its token.
   */
  async authenticate(given: GivenCredentials, address: string): Promise<AuthenticatedClient | undefined> {
    const clientId = parseUuid(given.clientId);
    const pair = pairOf(clientId ?? given.clientId, address);
    return this.limit.checked(pair, async () => {
      const found = await this.check(clientId ?? NO_CLIENT, given, address);
      // There may be a client with that id.
      return clientId === undefined ? undefined : found;
    });
  }

  /** Its failures count as those of a wrong secret do (G-8), for the client that it claims to be of. */
  private async byAssertion(
    assertion: string,
    clientId: string | undefined,
    address: string,
    now: Date,
  ): Promise<AuthenticatedClient | undefined> {
    const received = receivedAssertion(assertion);
    const claimed = parseUuid(received?.claims['sub']) ?? parseUuid(clientId) ?? clientId ?? '';
    const client = await this.limit.checked(pairOf(claimed, address), () =>
      this.assertions.client(received, clientId, address, now),
    );
    return client && authenticated(client);
  }

  private async check(
    clientId: string,
    { clientSecret, writtenSecret }: GivenCredentials,
    address: string,
  ): Promise<AuthenticatedClient | undefined> {
    const readings = writtenSecret === undefined ? [clientSecret] : [clientSecret, writtenSecret];
    const hashes = await Promise.all(readings.map((reading) => this.secretHash.of(reading)));
    const isOneOf = (client: StoredSecrets | undefined, readBeforeMs?: number): boolean =>
      hashes.filter((hash) => isSecretOf(client, hash, readBeforeMs)).length > 0;
    const followed = this.status.followed(clientId);
    if (isOneOf(followed, this.status.ageMs) && followed !== undefined) return authenticated(followed);
    const stored = await this.lookUps.find(clientId, address, followed);
    return isOneOf(stored) && stored?.active === true ? authenticated(stored) : undefined;
  }
}

const authenticated = ({ clientId, scopes }: ActiveClient): AuthenticatedClient => ({ clientId, scopes });

const wrongAssertion = (): OAuthError => new OAuthError('invalid_client', 'client_assertion is not accepted');

const wrongCredentials = (usesBasic: boolean): OAuthError =>
  new OAuthError(
    'invalid_client',
    'client_id or client_secret is wrong',
    usesBasic ? { 'WWW-Authenticate': 'Basic realm="token", charset="UTF-8"' } : {},
  );

/** One client is one pair, whatever the letter case of its id. */
const pairOf = (clientId: string, address: string): CredentialPair => ({
  clientIdHash: createHash('sha256').update(clientId).digest('base64url'),
  address,
});
