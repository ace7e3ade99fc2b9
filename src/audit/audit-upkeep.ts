import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';

import { Periodic } from '../database/periodic.js';
import { Database } from '../database/pools/database.js';
import type { Queryable } from '../database/queryable.js';
import { sql } from '../sql/sql.js';

const HOUR_MS = 3_600_000;

/** Creates the partitions of the coming months, and drops those past retention: `audit_upkeep()`. */
export async function upkeep(queryable: Queryable): Promise<void> {
  await queryable.query(sql`select audit_upkeep()`);
}

/** Does so at the start of a service and every hour; processes take turns, and find what others have done already. */
@Injectable()
export class AuditUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger(AuditUpkeep.name);
  private readonly loop = new Periodic({
    everyMs: HOUR_MS,
    work: () => upkeep(this.database),
    onError: (error) => {
      this.log.warn('partitions of the audit log could not be looked after; in an hour it is tried again', error);
    },
  });

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
  }
}
