import { Injectable } from '@nestjs/common';
import { HOUR_MS } from '../../kernel/domain/calendar.js';
import { sql } from '../../kernel/sql/sql.js';
import type { Queryable } from '../database/connection/queryable.js';
import type { Connections } from '../database/pools/connections.js';
import { Database } from '../database/pools/database.js';
import { ImportDatabase } from '../database/pools/pools.js';
import { Upkeep } from '../jobs/upkeep.js';

/** One transaction a month; those left when `signal` aborts are counted by the next run. */
export async function countMonths(connections: Connections, signal?: AbortSignal): Promise<void> {
  while (signal?.aborted !== true) {
    const [step] = await connections.query<{ readonly done: boolean }>(STEP, signal);
    if (step?.done !== true) return;
  }
}

const STEP = sql`select audit_count_months() as done`;

export async function upkeep(queryable: Queryable): Promise<void> {
  await queryable.query(sql`select audit_upkeep()`);
}

/**
 * Creates coming partitions and drops expired ones (`audit_upkeep()`) at start and hourly; counts past months.
 * Processes take turns and skip finished work.
 */
@Injectable()
export class AuditUpkeep extends Upkeep {
  constructor(
    private readonly database: Database,
    /** Counting a month may take minutes; no search should wait for it. */
    private readonly patient: ImportDatabase,
  ) {
    super(HOUR_MS, 'partitions of the audit log could not be looked after; in an hour it is tried again');
  }

  async run(signal?: AbortSignal): Promise<void> {
    await upkeep(this.database);
    await countMonths(this.patient, signal).catch((error: unknown) => {
      if (signal?.aborted === true) return;
      this.log.warn('months of the audit log could not be counted; pages of it count their rows meanwhile', error);
    });
  }
}
