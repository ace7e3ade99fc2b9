import type { Pool } from 'pg';

import type { Primary } from '../connection/primary.js';
import { Connections } from './connections.js';

/**
 * Past this a write is cancelled, and tried again: what was given up is not written late, beside what was tried
 * again.
 */
const DEADLINE_MS = 3_000;

/**
 * The same database by a connection of its own, for rows of the audit log that no transaction writes: they must not wait
 * behind searches, however many there are.
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
