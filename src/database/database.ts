import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

import { Connections } from './connections.js';

/** The database that holds the truth: the project's own SQL through TypeORM's pool. */
export class Database extends Connections {
  constructor(readonly dataSource: DataSource) {
    super(() => (dataSource.driver as unknown as { readonly master: Pool }).master);
  }
}
