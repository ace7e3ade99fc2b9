import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';

import { ChangeFeed } from '../../database/change-feed.js';
import { Database } from '../../database/database.js';
import { sql } from '../../sql/sql.js';
import { Refresher } from '../../database/refresher.js';

/** Which system clients are active, in memory and followed, so that a token can be refused at once (G-3). */
@Injectable()
export class ClientStatus implements OnModuleInit {
  private active: ReadonlySet<string> = new Set();
  private readonly refresher = new Refresher(() => this.load());

  constructor(
    private readonly database: Database,
    feed: ChangeFeed,
  ) {
    feed.on('client_changed', () => this.refresh());
  }

  onModuleInit(): Promise<void> {
    return this.refresh();
  }

  /** Whether a token of this system client is refused: the client was deactivated, or never existed. */
  isDeactivated(clientId: string): boolean {
    return !this.active.has(clientId);
  }

  /** Reads again who is active; what was committed before the call is known when it is done. */
  refresh(): Promise<void> {
    return this.refresher.refresh();
  }

  private async load(): Promise<void> {
    const rows = await this.database.query<{ readonly id: string }>(
      sql`select client_id as id from system_client where status = 'active'`,
    );
    this.active = new Set(rows.map(({ id }) => id));
  }
}
