import { Injectable } from '@nestjs/common';

import { UnreadableShaSecrets } from '../../auth/clients/unreadable-sha-secrets.js';
import { Database } from '../../platform/database/pools/database.js';
import { sql } from '../../kernel/sql/sql.js';

/** What all processes together have not delivered yet. */
export interface Backlog {
  readonly pending: number;
  readonly dead: number;
  /** Age of the oldest pending delivery; 0 if none is pending. */
  readonly oldestPendingSeconds: number;
  /** Subscribed clients for whom everything waits, since this process could not read their `sha_secret`. */
  readonly unreadableClients: number;
}

/** Counts pending deliveries for monitoring. */
@Injectable()
export class DeliveryBacklog {
  constructor(
    private readonly database: Database,
    private readonly unreadable: UnreadableShaSecrets,
  ) {}

  async read(): Promise<Backlog> {
    const isUnreadable = this.unreadable.includes(sql`c.client_id`, sql`c.sha_secret_sealed`);
    const [row] = await this.database.query<Backlog>(sql`
      select (select count(*)::int from webhook_delivery where status = 'dead') as dead, pending.*,
             (select count(*)::int from system_client c
               where c.status = 'active' and ${isUnreadable}
                 and exists (select from webhook_subscription s where s.client_id = c.client_id and s.deleted_at is null
                                and s.status = 'active')) as "unreadableClients"
        from (select count(*)::int as pending,
                     coalesce(greatest(extract(epoch from now() - min(created_at)), 0), 0)::float8 as "oldestPendingSeconds"
                from webhook_delivery where status = 'pending') pending`);
    if (row === undefined) throw new Error('nothing was counted');
    return row;
  }
}
