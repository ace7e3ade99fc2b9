import { createHash } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';

import type { Connections } from '../../database/pools/connections.js';
import { ControlDatabase } from '../../database/pools/control-database.js';
import type { Uuid } from '../../domain/uuid.js';
import { parseUuid } from '../../domain/uuid.js';
import { sql } from '../../sql/sql.js';
import { ClientSecretHash } from '../client-secret-hash.js';
import type { CredentialPair } from '../failed-credential-limit.js';
import { FailedCredentialLimit } from '../failed-credential-limit.js';
import { OAuthError } from '../token/oauth-error.js';
import type { TokenParameters } from '../token/token-parameters.js';
import { isSecretOf, SECRETS_COLUMNS } from './client-secrets.js';
import type { ActiveClient } from './client-status.js';
import { ClientStatus } from './client-status.js';

/** The credentials of a client, as received. */
export interface GivenCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** An authenticated client. */
export interface AuthenticatedClient {
  readonly clientId: Uuid;
  readonly scopes: readonly string[];
}

interface StoredClient extends ActiveClient {
  readonly active: boolean;
}

/** Looked up if there is no client: the work stays the same. */
const NO_CLIENT = '00000000-0000-0000-0000-000000000000';

/**
 * Checks who a client is: for the token endpoint, those of revocation and introspection, and for the older
 * `/authenticateSystemClient`.
 */
@Injectable()
export class ClientAuthentication {
  constructor(
    @Inject(ControlDatabase) private readonly database: Connections,
    private readonly secretHash: ClientSecretHash,
    private readonly limit: FailedCredentialLimit,
    private readonly status: ClientStatus,
  ) {}

  /**
   * The client of a request to an OAuth endpoint, by HTTP Basic or by its body; `invalid_request` without credentials,
   * `invalid_client` with wrong ones, in the same bytes whatever is wrong. Throws 429 as `authenticate` does.
   * `address`: the peer's (G-8).
   */
  async ofRequest(parameters: TokenParameters, address: string): Promise<AuthenticatedClient | OAuthError> {
    const clientId = parameters.one('client_id');
    if (clientId instanceof OAuthError) return clientId;
    const clientSecret = parameters.one('client_secret');
    if (clientSecret instanceof OAuthError) return clientSecret;
    if (clientId === undefined || clientSecret === undefined) {
      return new OAuthError('invalid_request', 'client_id and client_secret must be given');
    }
    return (await this.authenticate({ clientId, clientSecret }, address)) ?? wrongCredentials(parameters.usesBasic);
  }

  /**
   * The client; undefined if it is unknown, deactivated or has a different secret, all after the same work.
   * Throws 429 for a pair of client and address that failed too often, whatever its secret, or has too many attempts at
   * once (G-8).
   *
   * An active client is known in memory. A client that is not known there with this secret is looked up, so that one
   * just registered by another process gets its token.
   */
  async authenticate(given: GivenCredentials, address: string): Promise<AuthenticatedClient | undefined> {
    const clientId = parseUuid(given.clientId);
    const pair = pairOf(clientId ?? given.clientId, address);
    return this.limit.checked(pair, () => this.check(clientId ?? NO_CLIENT, given.clientSecret));
  }

  private async check(clientId: string, clientSecret: string): Promise<AuthenticatedClient | undefined> {
    const hash = await this.secretHash.of(clientSecret);
    const followed = this.status.followed(clientId);
    if (isSecretOf(followed, hash, this.status.ageMs) && followed !== undefined) return authenticated(followed);
    const stored = await this.find(clientId);
    return isSecretOf(stored, hash) && stored?.active === true ? authenticated(stored) : undefined;
  }

  private async find(clientId: string): Promise<StoredClient | undefined> {
    const rows = await this.database.query<StoredClient>(
      sql`select client_id as "clientId", scopes, ${SECRETS_COLUMNS}, status = 'active' as active
          from system_client where client_id = ${clientId}`,
    );
    return rows[0];
  }
}

const authenticated = ({ clientId, scopes }: ActiveClient): AuthenticatedClient => ({ clientId, scopes });

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
