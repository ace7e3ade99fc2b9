import { Injectable } from '@nestjs/common';

import { Database } from '../database/pools/database.js';
import { ImportDatabase } from '../database/pools/import-database.js';
import type { Queryable } from '../database/connection/queryable.js';
import { Upkeep } from '../jobs/upkeep.js';
import { HOUR_MS } from '../../kernel/domain/calendar.js';
import { sql } from '../../kernel/sql/sql.js';
import { countMonths } from './audit-counts.js';

/** Creates the partitions of the coming months, and drops those past retention: `audit_upkeep()`. */
export async function upkeep(queryable: Queryable): Promise<void> {
  await queryable.query(sql`select audit_upkeep()`);
}

/**
 * Does so at the start of a service and every hour, and counts the months that are over; processes take turns, and find
 * what others have done already.
 */
@Injectable()
export class AuditUpkeep extends Upkeep {
  constructor(
    private readonly database: Database,
    /** To count a month may take minutes, for which no search should wait. */
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
