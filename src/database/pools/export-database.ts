import type { Pool } from 'pg';

import type { Primary } from '../connection/primary.js';
import { Connections } from './connections.js';

/**
 * The same database by connections of their own for streams, each of which holds one for as long as its client reads:
 * `size` at most.
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
