import { Inject, Injectable } from '@nestjs/common';
import { FairQueue } from '../../platform/queue/fair-queue.js';
import type { Connections } from '../../platform/database/pools/connections.js';
import { CredentialsDatabase, LOOK_UPS_AT_ONCE } from '../../platform/database/pools/credentials-database.js';
import { WrongSoFar } from '../throttling/failed-credential-limit.js';
import { networkOf } from '../../platform/queue/network-of.js';
import type { ActiveClient } from './client-status.js';
import { MOST_WAITING, turnOfCredentials } from '../throttling/credentials-turn.js';
import { type StoredClient, storedClient } from './stored-client.js';

/**
 * Reads clients that are not known in memory with the credentials that came: those just registered, those that do not
 * exist, and all of them while changes are not heard. One after the other, in turns between networks, as anybody may
 * have it done.
 */
@Injectable()
export class ClientLookUps {
  private readonly turns = new FairQueue({ atOnce: LOOK_UPS_AT_ONCE, mostWaiting: MOST_WAITING });

  constructor(@Inject(CredentialsDatabase) private readonly database: Connections) {}

  /**
   * The client as its row has it; undefined if there is none. Throws 503 where its turn does not come, and any failure
   * as `WrongSoFar` for a client that is `followed`, by what is known of whom the credentials are wrong.
   */
  async find(clientId: string, address: string, followed: ActiveClient | undefined): Promise<StoredClient | undefined> {
    try {
      return await turnOfCredentials(this.turns, networkOf(address), () => storedClient(this.database, clientId));
    } catch (error) {
      throw followed === undefined ? error : new WrongSoFar(error);
    }
  }
}
