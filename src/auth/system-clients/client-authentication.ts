import { createHash } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';

import type { Connections } from '../../database/pools/connections.js';
import { ControlDatabase } from '../../database/pools/control-database.js';
import type { Uuid } from '../../domain/uuid.js';
import { parseUuid } from '../../domain/uuid.js';
import { sql } from '../../sql/sql.js';
import { ClientSecretHash } from '../client-secret-hash.js';
import { equalInConstantTime } from '../equal-in-constant-time.js';
import type { CredentialPair } from '../failed-credential-limit.js';
import { FailedCredentialLimit } from '../failed-credential-limit.js';
import type { ActiveClient } from './client-status.js';
import { ClientStatus } from './client-status.js';

/** What a client says it is, as it came. */
export interface GivenCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A client that has proved itself. */
export interface AuthenticatedClient {
  readonly clientId: Uuid;
  readonly scopes: readonly string[];
}

interface StoredClient extends ActiveClient {
  readonly active: boolean;
}

/** Looked up and compared with where there is no client: the work stays the same, and nothing equals it. */
const NO_CLIENT = '00000000-0000-0000-0000-000000000000';
const NO_HASH = Buffer.alloc(32);

/** Checks client credentials, for the token endpoint and for the older `/authenticateSystemClient`. */
@Injectable()
export class ClientAuthentication {
  constructor(
    @Inject(ControlDatabase) private readonly database: Connections,
    private readonly secretHash: ClientSecretHash,
    private readonly limit: FailedCredentialLimit,
    private readonly status: ClientStatus,
  ) {}

  /**
   * The client; undefined when it is unknown, deactivated or its secret is another one, all after the same work (A-3,
   * Throws 429 for a pair of client and address that failed too often, whatever its secret, or has too many
   * attempts at once (G-8).
   *
   * An active client is known in memory. Whoever is not known there by this secret is looked up, so that a client that
   * another process has just registered gets its token.
   */
  async authenticate(given: GivenCredentials, address: string): Promise<AuthenticatedClient | undefined> {
    const clientId = parseUuid(given.clientId);
    const pair = pairOf(clientId ?? given.clientId, address);
    return this.limit.checked(pair, () => this.check(clientId ?? NO_CLIENT, given.clientSecret));
  }

  private async check(clientId: string, clientSecret: string): Promise<AuthenticatedClient | undefined> {
    const hash = await this.secretHash.of(clientSecret);
    const followed = this.status.followed(clientId);
    if (isProved(hash, followed) && followed !== undefined) return authenticated(followed);
    const stored = await this.find(clientId);
    return isProved(hash, stored) && stored?.active === true ? authenticated(stored) : undefined;
  }

  private async find(clientId: string): Promise<StoredClient | undefined> {
    const rows = await this.database.query<StoredClient>(
      sql`select client_id as "clientId", scopes, secret_hash as "secretHash", status = 'active' as active
          from system_client where client_id = ${clientId}`,
    );
    return rows[0];
  }
}

/** Compares in the same time whether there is a client or not. */
const isProved = (hash: Buffer, client: ActiveClient | undefined): boolean =>
  equalInConstantTime(hash, client?.secretHash ?? NO_HASH);

const authenticated = ({ clientId, scopes }: ActiveClient): AuthenticatedClient => ({ clientId, scopes });

/** One client is one pair, in whichever letter case its id is given. */
const pairOf = (clientId: string, address: string): CredentialPair => ({
  clientIdHash: createHash('sha256').update(clientId).digest('base64url'),
  address,
});
