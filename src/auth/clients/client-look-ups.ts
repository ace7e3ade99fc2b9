import { Inject, Injectable } from '@nestjs/common';
import type { Connections } from '../../platform/database/pools/connections.js';
import { CredentialsDatabase } from '../../platform/database/pools/pools.js';
import { WrongSoFar } from '../throttling/failed-credential-limit.js';
import { Capacities } from '../../platform/queue/capacities.js';
import { networkOf } from '../../platform/queue/network-of.js';
import { type ActiveClient, type StoredClient, storedClient } from './client-status.js';

/**
 * Looks up clients missing from the cache, or all while the change feed is down. Networks take turns, since anybody can
 * cause look-ups.
 */
@Injectable()
export class ClientLookUps {
  constructor(
    @Inject(CredentialsDatabase) private readonly database: Connections,
    private readonly capacities: Capacities,
  ) {}

  /**
   * Undefined if there is none. Throws 503 without a turn. For a `followed` client any failure is `WrongSoFar`, since
   * its cached credentials did not match.
   */
  async find(clientId: string, address: string, followed: ActiveClient | undefined): Promise<StoredClient | undefined> {
    try {
      return await this.capacities.run('client-look-ups', { client: networkOf(address) }, () =>
        storedClient(this.database, clientId),
      );
    } catch (error) {
      throw followed === undefined ? error : new WrongSoFar(error);
    }
  }
}
