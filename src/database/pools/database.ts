import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

import { poolOf } from '../connection/guarded-pool.js';
import type { Primary } from '../connection/primary.js';
import { Connections } from './connections.js';

/** The database that holds the truth: the project's own SQL through TypeORM's pool. */
export class Database extends Connections {
  /** The server behind it; what is kept of the database in memory is registered there. */
  readonly primary: Primary;
  /** The same for what goes through all records, and may take hours: everything else has a minute. */
  readonly patient: Connections;

  constructor(
    readonly dataSource: DataSource,
    length: 'long' | 'usual' = 'usual',
  ) {
    const pool = (): Pool => {
      const found = poolOf(dataSource);
      if (found === undefined) throw new Error('Cannot use a data source that is not connected');
      return found;
    };
    super(pool, undefined, length);
    this.patient = new Connections(pool, undefined, 'long');
    this.primary = (dataSource.options.extra as { readonly primary: Primary }).primary;
  }
}
