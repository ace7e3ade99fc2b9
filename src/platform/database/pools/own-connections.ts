import type { Pool } from 'pg';

import type { StatementTime } from '../connection/guarded-client.js';
import { Connections } from './connections.js';

/** Connections to the same database that one purpose has for itself. They end with the application. */
export abstract class OwnConnections extends Connections {
  protected constructor(
    private readonly own: Pool,
    time: StatementTime = 'usual',
  ) {
    super(() => own, undefined, time);
  }

  /** May be called more than once. */
  async close(): Promise<void> {
    if (!this.own.ending) await this.own.end();
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
