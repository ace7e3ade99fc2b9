import { Injectable } from '@nestjs/common';

import { Database } from '../../database/database.js';
import type { Uuid } from '../../domain/uuid.js';
import { sql } from '../../sql/sql.js';
import type { NotificationFormat } from '../notification/notification-format.js';

/** The format that a client's subscriptions have unless they name one (W-14). */
@Injectable()
export class ClientFormats {
  constructor(private readonly database: Database) {}

  /** For subscriptions that are made from now on; false when there is no such client. */
  async set(clientId: Uuid, format: NotificationFormat): Promise<boolean> {
    const rows = await this.database.query(
      sql`update system_client set webhook_format = ${format} where client_id = ${clientId} returning client_id`,
    );
    return rows.length > 0;
  }
}
