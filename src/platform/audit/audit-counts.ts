import type { Connections } from '../database/pools/connections.js';
import { sql } from '../../kernel/sql/sql.js';

/** One transaction a month; those left when `signal` aborts are counted by the next run. */
export async function countMonths(connections: Connections, signal?: AbortSignal): Promise<void> {
  while (signal?.aborted !== true) {
    const [step] = await connections.query<{ readonly done: boolean }>(STEP, signal);
    if (step?.done !== true) return;
  }
}

const STEP = sql`select audit_count_months() as done`;
