import { setTimeout as sleep } from 'node:timers/promises';

import type { OnModuleDestroy } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';

import { Database } from '../../database/pools/database.js';
import { sql } from '../../sql/sql.js';

/** The minimum interval between announcements of one process. */
const APART_MS = 5;

/**
 * Tells all processes that something has become due (W-8). A NOTIFY within a transaction makes all such transactions
 * commit one after the other: this one is sent after they commit, one for many. If one is lost, deliveries wait a
 * second, after which whoever delivers looks by itself.
 */
@Injectable()
export class DueAnnouncements implements OnModuleDestroy {
  private readonly log = new Logger(DueAnnouncements.name);
  private isWanted = false;
  private working: Promise<void> | undefined;

  constructor(private readonly database: Database) {}

  /** To be called after the commit. */
  announce(): void {
    this.isWanted = true;
    this.working ??= this.work().finally(() => {
      this.working = undefined;
    });
  }

  /** When this resolves, what was announced has been sent. */
  async onModuleDestroy(): Promise<void> {
    await this.working;
  }

  private async work(): Promise<void> {
    while (this.isWanted) {
      this.isWanted = false;
      await this.database.query(sql`select pg_notify('delivery_due', '')`).catch((error: unknown) => {
        this.log.debug('that something is due could not be announced; it is found within a second', error);
      });
      await sleep(APART_MS);
    }
  }
}
