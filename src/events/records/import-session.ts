import type { PoolClient } from 'pg';
import type { QueryRunner } from 'typeorm';

import type { Database } from '../../database/database.js';
import type { Queryable } from '../../database/queryable.js';
import type { Uuid } from '../../domain/uuid.js';
import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';

/**
 * One connection for a whole import. The ids that the import has taken are kept in a temporary table, which lives as
 * long as its connection: millions of them need no memory here, and none of them is left behind.
 */
export class ImportSession {
  private constructor(
    private readonly runner: QueryRunner,
    private readonly client: PoolClient,
  ) {}

  static async open(database: Database): Promise<ImportSession> {
    const runner = database.dataSource.createQueryRunner();
    const session = new ImportSession(runner, (await runner.connect()) as PoolClient);
    await session.query(sql`create temporary table if not exists import_taken (id uuid primary key)`);
    await session.query(sql`truncate import_taken`);
    return session;
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

  async takenAmong(transaction: Queryable, ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>> {
    const rows = await transaction.query<{ id: Uuid }>(
      sql`select id from import_taken where id = any (${ids}::uuid[])`,
    );
    return new Set(rows.map((row) => row.id));
  }

  async take(transaction: Queryable, ids: readonly Uuid[]): Promise<void> {
    await transaction.query(sql`insert into import_taken select unnest(${ids}::uuid[])`);
  }

  /** Waits until every transaction is on the disk. */
  async settle(): Promise<void> {
    await this.query(sql`select pg_current_xact_id()`);
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
    await this.query(sql`drop table if exists import_taken`).catch(() => undefined);
    await this.runner.release();
  }

  private async query<Row>(statement: Sql): Promise<Row[]> {
    const { text, params } = statement.toQuery();
    const result = await this.client.query(text, [...params]);
    return result.rows as Row[];
  }
}
