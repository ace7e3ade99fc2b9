import { Injectable } from '@nestjs/common';

import type { Actor } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { Database } from '../../platform/database/pools/database.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';
import { ANNOUNCE_CLIENTS } from './client-status.js';
import type { ClientKey } from './client-keys.js';

/** Changes of clients' public keys for assertions (U-10). */
@Injectable()
export class RegisteredKeys {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly feed: ChangeFeed,
  ) {}

  /**
   * `keys` comes from `soundKeys` and may be empty. Holds here at once, elsewhere within two seconds. False without
   * such a client.
   */
  async set(clientId: Uuid, keys: readonly ClientKey[], by: Actor): Promise<boolean> {
    const found = await this.database.transaction(async (transaction) => {
      const changed = await transaction.query(
        sql`update system_client set jwks = ${storedKeys(keys)}::jsonb
             where client_id = ${clientId} and status <> 'deleted' returning client_id`,
      );
      if (changed.length === 0) return false;
      await this.audit.record(transaction, {
        ...by,
        operation: 'integrations.setKeys',
        requestData: { id: clientId, kids: keys.map(({ kid }) => kid) },
        responseSummary: { id: clientId },
      });
      await transaction.query(ANNOUNCE_CLIENTS);
      return true;
    });
    await this.feed.heed('client_changed');
    return found;
  }
}

/** Column value: null if there are none. */
export const storedKeys = (keys: readonly ClientKey[]): string | null =>
  keys.length === 0 ? null : JSON.stringify({ keys });
