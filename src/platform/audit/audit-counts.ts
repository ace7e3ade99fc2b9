import type { Connections } from '../database/pools/connections.js';
import { sql } from '../../kernel/sql/sql.js';

/**
 * Counts the months that are over and were not counted yet, each in a transaction of its own: `audit_count_months()`.
 * What is left when `signal` aborts is counted the next time.
 */
export async function countMonths(connections: Connections, signal?: AbortSignal): Promise<void> {
  while (signal?.aborted !== true) {
    const [step] = await connections.query<{ readonly done: boolean }>(STEP, signal);
    if (step?.done !== true) return;
  }
}

const STEP = sql`select audit_count_months() as done`;
