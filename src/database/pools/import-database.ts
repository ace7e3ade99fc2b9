import type { Pool } from 'pg';

import type { Primary } from '../connection/primary.js';
import { Connections } from './connections.js';

/** An import takes one for each batch that it writes; writing also takes a core. */
const POOL_SIZE = 2;

/**
 * The same database over separate connections for imports over HTTP, so that none of them takes one from a search
 * . Statements may take long: a vacuum after many records is one.
 */
export class ImportDatabase extends Connections {
  private readonly connections: Pool;

  constructor(primary: Primary) {
    const pool = primary.pool('matricula import', POOL_SIZE);
    super(() => pool, undefined, 'long');
    this.connections = pool;
  }

  onApplicationShutdown(): Promise<void> {
    return this.connections.end();
  }
}
