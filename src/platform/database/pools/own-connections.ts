import type { Pool } from 'pg';

import type { StatementTime } from '../connection/guarded-client.js';
import { Connections } from './connections.js';

/** A pool reserved for one purpose; it ends with the application. */
export abstract class OwnConnections extends Connections {
  protected constructor(
    private readonly own: Pool,
    time: StatementTime = 'usual',
  ) {
    super(() => own, undefined, time);
  }

  /** Idempotent. */
  async close(): Promise<void> {
    if (!this.own.ending) await this.own.end();
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
