import pg from 'pg';

import { Connections } from './connections.js';
import { CONNECTION_OPTIONS } from './data-source.js';

/** What is asked here is short; a second connection, so that one question need not wait for another. */
const POOL_SIZE = 2;

/**
 * The same database by connections of their own, for what must be answered however many searches, writes and imports
 * there are: whether the process is ready, who a client is, which keys are accepted.
 */
export class ControlDatabase extends Connections {
  private readonly connections: pg.Pool;

  constructor(url: string) {
    const pool = new pg.Pool({
      ...CONNECTION_OPTIONS,
      connectionString: url,
      application_name: 'matricula control',
      max: POOL_SIZE,
    });
    // An idle connection that breaks would end the process; the next question makes another one.
    pool.on('error', () => undefined);
    super(() => pool);
    this.connections = pool;
  }

  onApplicationShutdown(): Promise<void> {
    return this.connections.end();
  }
}
