import { setTimeout as sleep } from 'node:timers/promises';

import { Logger } from '@nestjs/common';

import type { Channel } from '../connection/change-feed.js';
import type { Database } from './database.js';
import { sql } from '../../../kernel/sql/sql.js';

/** The minimum interval between announcements of one process. */
const APART_MS = 5;

/**
 * Tells all processes that something has happened in an outbox (W-8). A NOTIFY within a transaction makes all such
 * transactions commit one after the other: this one is sent after they commit, one for many. If one is lost, whoever
 * waits for it looks by itself within a second.
 */
export class Announcements {
  private readonly log = new Logger(Announcements.name);
  private isWanted = false;
  private working: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly channel: Channel,
  ) {}

  /** To be called after the commit. */
  announce(): void {
    this.isWanted = true;
    this.working ??= this.work();
  }

  /** When this resolves, what was announced has been sent. */
  async end(): Promise<void> {
    await this.working;
  }

  private async work(): Promise<void> {
    while (this.isWanted) {
      this.isWanted = false;
      await this.database.query(sql`select pg_notify(${this.channel}, '')`).catch((error: unknown) => {
        this.log.debug(`${this.channel} could not be announced; it is found within a second`, error);
      });
      await sleep(APART_MS);
    }
    // In the same turn as the look at what is wanted: whatever comes after it begins anew.
    this.working = undefined;
  }
}
