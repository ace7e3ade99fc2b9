import type { Pool } from 'pg';

import type { Primary } from '../connection/primary.js';
import { Connections } from './connections.js';

/**
 * The same database over separate connections for streams, each of which holds one as long as its client reads:
 * at most `size`.
 */
export class ExportDatabase extends Connections {
  private readonly connections: Pool;

  constructor(
    primary: Primary,
    readonly size: number,
  ) {
    const pool = primary.pool('matricula export', size);
    super(() => pool);
    this.connections = pool;
  }

  onApplicationShutdown(): Promise<void> {
    return this.connections.end();
  }
}
