import type { OnModuleDestroy } from '@nestjs/common';
import { Injectable } from '@nestjs/common';

import { Database } from '../../platform/database/pools/database.js';
import { Announcements } from '../../platform/database/pools/announcements.js';

/** Tells all processes that a delivery has become due. */
@Injectable()
export class DueAnnouncements extends Announcements implements OnModuleDestroy {
  constructor(database: Database) {
    super(database, 'delivery_due');
  }

  onModuleDestroy(): Promise<void> {
    return this.end();
  }
}
