import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';

import { ChangeFeed } from '../../database/connection/change-feed.js';
import { Followed } from '../../database/followed.js';
import type { Connections } from '../../database/pools/connections.js';
import { ControlDatabase } from '../../database/pools/control-database.js';
import type { Uuid } from '../../domain/uuid.js';
import { sql } from '../../sql/sql.js';

/** An active client, as far as a token for it needs to know it. */
export interface ActiveClient {
  readonly clientId: Uuid;
  readonly scopes: readonly string[];
  /** HMAC-SHA-256 of its secret. */
  readonly secretHash: Buffer;
}

/** Which system clients are active, in memory and followed, so that a token can be refused at once (G-3). */
@Injectable()
export class ClientStatus implements OnModuleInit {
  private active: ReadonlyMap<string, ActiveClient> = new Map();
  private readonly changes: Followed;

  constructor(
    @Inject(ControlDatabase) private readonly database: Connections,
    private readonly feed: ChangeFeed,
  ) {
    this.changes = new Followed(feed, 'client_changed', () => this.load());
  }

  onModuleInit(): Promise<void> {
    return this.refresh();
  }

  /** Done when what is known holds: at once, or after the database was asked while changes are not followed (G-3). */
  current(): Promise<void> {
    return this.changes.current();
  }

  /**
   * Whether a token of this system client is refused: the client was deactivated, or never existed. `current()` comes
   * before.
   */
  isDeactivated(clientId: string): boolean {
    return !this.active.has(clientId);
  }

  /**
   * The client, if it is active: what this process changed holds at once, what others changed within two seconds (G-3).
   * Undefined is no answer: such a client, or one that cannot be followed just now, has to be looked for in the database.
   */
  followed(clientId: string): ActiveClient | undefined {
    return this.feed.isFollowing ? this.active.get(clientId) : undefined;
  }

  /** Reads again who is active; what was committed before the call is known when it is done. */
  refresh(): Promise<void> {
    return this.changes.refresh();
  }

  private async load(): Promise<void> {
    const rows = await this.database.query<ActiveClient>(
      sql`select client_id as "clientId", scopes, secret_hash as "secretHash"
          from system_client where status = 'active'`,
    );
    this.active = new Map(rows.map((client) => [client.clientId, client]));
  }
}
