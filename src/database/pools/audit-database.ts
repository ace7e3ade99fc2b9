import type { Pool } from 'pg';

import type { Primary } from '../connection/primary.js';
import { Connections } from './connections.js';

/**
 * After this time a write is cancelled and tried again, so that an abandoned write does not complete late in addition
 * to its repetition.
 */
const DEADLINE_MS = 3_000;

/**
 * The same database over a separate connection, for audit rows outside of transactions: they must not wait behind
 * searches, however many there are.
 */
export class AuditDatabase extends Connections {
  private readonly connections: Pool;

  constructor(primary: Primary) {
    const pool = primary.pool('matricula audit', 1, DEADLINE_MS);
    super(() => pool);
    this.connections = pool;
  }

  async close(): Promise<void> {
    if (!this.connections.ending) await this.connections.end();
  }
}
