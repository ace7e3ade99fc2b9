import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { ClientAssertions, ClientLookUps, JWT_BEARER, receivedAssertion } from './client-assertions.js';
import { ClientSecretHash } from '../secrets/client-secret-hash.js';
import { type CredentialPair, FailedCredentialLimit } from '../secrets/failed-credential-limit.js';
import { invalidRequest, OAuthError, type TokenParameters } from '../tokens/token-parameters.js';
import { type ActiveClient, ClientStatus, isSecretOf, NO_CLIENT, type StoredSecrets } from './client-status.js';

export interface GivenCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Alternative reading of the secret; either may be right. */
  readonly writtenSecret?: string | undefined;
}

export interface AuthenticatedClient {
  readonly clientId: Uuid;
  readonly scopes: readonly string[];
}

/** For the OAuth endpoints and the older `/authenticateSystemClient`. */
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
   * By secret (HTTP Basic or body) or assertion (RFC 7523). `invalid_request` for none or both; `invalid_client` in
   * identical bytes for wrong ones. Throws 429 as `authenticate`. `address` is the peer's (G-8).
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
   * Undefined for an unknown or deactivated client or a wrong secret, after the same work. Throws 429 after
   * too many failures or concurrent attempts of client and address (G-8), 503 for a full queue. Clients not cached are
   * looked up, since another process may have just registered them.
   */
  async authenticate(given: GivenCredentials, address: string): Promise<AuthenticatedClient | undefined> {
    const clientId = parseUuid(given.clientId);
    const pair = pairOf(clientId ?? given.clientId, address);
    return this.limit.checked(pair, async () => {
      const found = await this.check(clientId ?? NO_CLIENT, given, address);
      // A client with that id may exist.
      return clientId === undefined ? undefined : found;
    });
  }

  /** Failures count as wrong secrets (G-8), for the claimed client. */
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

/** Client ids ignore letter case. */
const pairOf = (clientId: string, address: string): CredentialPair => ({
  clientIdHash: createHash('sha256').update(clientId).digest('base64url'),
  address,
});
