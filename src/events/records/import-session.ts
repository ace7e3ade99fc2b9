import type { PoolClient } from 'pg';
import type { QueryRunner } from 'typeorm';

import { allow } from '../../database/connection/guarded-client.js';
import type { Database } from '../../database/database.js';
import type { Queryable } from '../../database/queryable.js';
import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';

/** One connection for a whole import: its transactions need not each wait for the disk. */
export class ImportSession {
  private constructor(
    private readonly runner: QueryRunner,
    private readonly client: PoolClient,
  ) {}

  static async open(database: Database): Promise<ImportSession> {
    const runner = database.dataSource.createQueryRunner();
    const client = (await runner.connect()) as PoolClient;
    allow(client, 'long');
    return new ImportSession(runner, client);
  }

  /**
   * Commits when `work` is done and rolls back when it fails. The commit does not wait for the disk: `settle` does, for
   * all that were before.
   */
  async transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T> {
    await this.query(sql`begin; set local synchronous_commit to off`);
    try {
      const result = await work({ query: (statement) => this.query(statement) });
      await this.query(sql`commit`);
      return result;
    } catch (error) {
      // Where not even that works, the connection is lost and the transaction with it.
      await this.query(sql`rollback`).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Waits until every transaction is on the disk, and on the standbys that a commit waits for. A commit waits for what was
   * logged before it, when it has logged something itself: the message is read by nobody.
   */
  async settle(): Promise<void> {
    await this.query(sql`select pg_logical_emit_message(true, 'matricula', 'import')`);
  }

  /** After many new records: what plans are chosen by, and what spares searches a look at rows that all may see. */
  async vacuum(): Promise<void> {
    // Only the owner may; for others it waits for the next turn of Postgres itself.
    await this.query(sql`vacuum (analyze) event_search`).catch(() => undefined);
  }

  /** Gives the connection back, and spares later searches what is still to be sorted into the index of terms. */
  async close(): Promise<void> {
    // Only the owner of the index may do that; for others it waits for the next vacuum.
    await this.query(sql`select gin_clean_pending_list('event_search_terms')`).catch(() => undefined);
    allow(this.client, 'usual');
    await this.runner.release();
  }

  private async query<Row>(statement: Sql): Promise<Row[]> {
    const { text, params } = statement.toQuery();
    const result = await this.client.query(text, [...params]);
    return result.rows as Row[];
  }
}
