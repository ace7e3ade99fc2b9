import { Logger } from '@nestjs/common';
import { HOUR_MS } from '../../kernel/domain/calendar.js';
import { sql } from '../../kernel/sql/sql.js';
import type { Queryable } from '../database/connection/queryable.js';
import type { Connections } from '../database/pools/connections.js';
import type { Job } from '../jobs/jobs.js';

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
 * Processes take turns and skip finished work. `patient`: counting a month may take minutes, and no search waits for it.
 */
export const auditUpkeep = (database: Queryable, patient: Connections): Job => ({
  name: 'AuditUpkeep',
  everyMs: HOUR_MS,
  failure: 'partitions of the audit log could not be looked after; in an hour it is tried again',
  work: async (signal) => {
    await upkeep(database);
    await countMonths(patient, signal).catch((error: unknown) => {
      if (signal.aborted) return;
      const line = 'months of the audit log could not be counted; pages of it count their rows meanwhile';
      new Logger('AuditUpkeep').warn(line, error);
    });
  },
});
