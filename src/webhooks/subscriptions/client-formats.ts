import { Injectable } from '@nestjs/common';

import type { Actor } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { Database } from '../../platform/database/pools/database.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';
import type { NotificationFormat } from '../notification/notification-headers.js';

/** W-14. */
@Injectable()
export class ClientFormats {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /** Applies to later subscriptions; false if there is no such client. */
  set(clientId: Uuid, format: NotificationFormat, by: Actor): Promise<boolean> {
    return this.database.transaction((transaction) => this.setIn(transaction, clientId, format, by));
  }

  async setIn(transaction: Queryable, clientId: Uuid, format: NotificationFormat, by: Actor): Promise<boolean> {
    const rows = await transaction.query(
      sql`update system_client set webhook_format = ${format}
           where client_id = ${clientId} and status <> 'deleted' returning client_id`,
    );
    if (rows.length === 0) return false;
    await this.audit.record(transaction, {
      ...by,
      operation: 'integrations.setWebhookFormat',
      requestData: { id: clientId, format },
      responseSummary: { id: clientId },
    });
    return true;
  }
}
