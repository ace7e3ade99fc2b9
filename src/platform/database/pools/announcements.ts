import { setTimeout as sleep } from 'node:timers/promises';

import { Logger } from '@nestjs/common';

import type { Channel } from '../connection/change-feed.js';
import type { Database } from './database.js';
import { sql } from '../../../kernel/sql/sql.js';

const APART_MS = 5;

/**
 * Announces outbox events (W-8), one NOTIFY for many commits; within transactions it would serialize them. Listeners
 * check by themselves within a second, so one may be lost.
 */
export class Announcements {
  private readonly log = new Logger(Announcements.name);
  private isWanted = false;
  private working: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly channel: Channel,
  ) {}

  /** Call after the commit. */
  announce(): void {
    this.isWanted = true;
    this.working ??= this.work();
  }

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
    // In the turn of the check: anything later begins anew.
    this.working = undefined;
  }
}
