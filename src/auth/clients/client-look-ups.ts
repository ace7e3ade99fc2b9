import { Inject, Injectable } from '@nestjs/common';
import { FairQueue } from '../../platform/queue/fair-queue.js';
import type { Connections } from '../../platform/database/pools/connections.js';
import { CredentialsDatabase, LOOK_UPS_AT_ONCE } from '../../platform/database/pools/pools.js';
import { WrongSoFar } from '../throttling/failed-credential-limit.js';
import { networkOf } from '../../platform/queue/network-of.js';
import { type ActiveClient, type StoredClient, storedClient } from './client-status.js';
import { MOST_WAITING, turnOfCredentials } from '../throttling/credentials-turn.js';

/**
 * Looks up clients missing from the cache, or all while the change feed is down. Networks take turns, since anybody can
 * cause look-ups.
 */
@Injectable()
export class ClientLookUps {
  private readonly turns = new FairQueue({ atOnce: LOOK_UPS_AT_ONCE, mostWaiting: MOST_WAITING });

  constructor(@Inject(CredentialsDatabase) private readonly database: Connections) {}

  /**
   * Undefined if there is none. Throws 503 without a turn. For a `followed` client any failure is `WrongSoFar`, since
   * its cached credentials did not match.
   */
  async find(clientId: string, address: string, followed: ActiveClient | undefined): Promise<StoredClient | undefined> {
    try {
      return await turnOfCredentials(this.turns, networkOf(address), () => storedClient(this.database, clientId));
    } catch (error) {
      throw followed === undefined ? error : new WrongSoFar(error);
    }
  }
}
