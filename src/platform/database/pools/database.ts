import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { poolOf, type StatementTime } from '../connection/guarded-client.js';
import type { Primary } from '../connection/primary.js';
import { Connections } from './connections.js';

export class Database extends Connections {
  /** Register caches of database contents there. */
  readonly primary: Primary;
  /** For statements over all records, which may take hours; all others have a minute. */
  readonly patient: Connections;

  constructor(
    readonly dataSource: DataSource,
    time: StatementTime = 'usual',
  ) {
    const pool = (): Pool => {
      const found = poolOf(dataSource);
      if (found === undefined) throw new Error('Cannot use a data source that is not connected');
      return found;
    };
    super(pool, undefined, time);
    this.patient = new Connections(pool, undefined, 'long');
    this.primary = (dataSource.options.extra as { readonly primary: Primary }).primary;
  }
}
