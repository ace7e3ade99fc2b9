import { Injectable } from '@nestjs/common';

import { Database } from '../../database/pools/database.js';
import { sql } from '../../sql/sql.js';

/** What all processes together have not delivered yet. */
export interface Backlog {
  readonly pending: number;
  readonly dead: number;
  /** Age of the oldest pending delivery; 0 if none is pending. */
  readonly oldestPendingSeconds: number;
}

/** Counts pending deliveries for monitoring. */
@Injectable()
export class DeliveryBacklog {
  constructor(private readonly database: Database) {}

  async read(): Promise<Backlog> {
    const [row] = await this.database.query<Backlog>(sql`
      select (select count(*)::int from webhook_delivery where status = 'dead') as dead, pending.*
        from (select count(*)::int as pending,
                     coalesce(greatest(extract(epoch from now() - min(created_at)), 0), 0)::float8 as "oldestPendingSeconds"
                from webhook_delivery where status = 'pending') pending`);
    if (row === undefined) throw new Error('nothing was counted');
    return row;
  }
}
