import type { PoolClient } from 'pg';
import type { QueryRunner } from 'typeorm';
import { allow } from '../../platform/database/connection/guarded-client.js';
import type { Database } from '../../platform/database/pools/database.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';

/** One connection for all writes of a reindex: if it is lost, so are its locks, and nothing more can be written. */
export class ReindexSession implements Queryable {
  private constructor(
    private readonly runner: QueryRunner,
    private readonly client: PoolClient,
  ) {}

  static async open(database: Database): Promise<ReindexSession> {
    const runner = database.dataSource.createQueryRunner();
    const client = (await runner.connect()) as PoolClient;
    allow(client, 'long');
    const session = new ReindexSession(runner, client);
    for (const setting of SETTINGS) await session.query(setting);
    return session;
  }

  async query<Row>(statement: Sql): Promise<Row[]> {
    const { text, params } = statement.toQuery();
    const result = await this.client.query(text, [...params]);
    return result.rows as Row[];
  }

  /** Runs statements that Postgres itself generated from its catalogue. */
  async execute(statements: readonly string[]): Promise<void> {
    for (const statement of statements) await this.client.query(statement);
  }

  /** Commits when `work` succeeds and rolls back when it fails. */
  transaction<T>(work: () => Promise<T>): Promise<T> {
    return this.within(sql`begin`, work);
  }

  /** The same, with all reads of `work` from one snapshot of the database. */
  snapshot<T>(work: () => Promise<T>): Promise<T> {
    return this.within(sql`begin isolation level repeatable read`, work);
  }

  /** Releases all locks, and restores the connection. */
  async close(): Promise<void> {
    await this.query(sql`select pg_advisory_unlock_all()`).catch(() => undefined);
    await this.query(sql`drop table if exists reindex_taken`).catch(() => undefined);
    for (const setting of RESETTINGS) await this.query(setting).catch(() => undefined);
    allow(this.client, 'usual');
    await this.runner.release();
  }

  private async within<T>(begin: Sql, work: () => Promise<T>): Promise<T> {
    await this.query(begin);
    try {
      const result = await work();
      await this.query(sql`commit`);
      return result;
    } catch (error) {
      // If even that fails, the connection is lost and the transaction with it.
      await this.query(sql`rollback`).catch(() => undefined);
      throw error;
    }
  }
}

/** The settings of every connection of the pool stay: see `applySessionSettings`. */
const RESETTINGS = [
  sql`reset idle_in_transaction_session_timeout`,
  sql`reset maintenance_work_mem`,
  sql`reset gin_pending_list_limit`,
];

const SETTINGS = [
  sql`set idle_in_transaction_session_timeout = 0`,
  sql`select set_config('maintenance_work_mem', greatest(setting::bigint, 262144)::text, false)
        from pg_settings where name = 'maintenance_work_mem'`,
  // Every search reads the pending list of the term index: see write-records.ts.
  sql`set gin_pending_list_limit = '64kB'`,
  // See catch-up.ts.
  sql`create temporary table if not exists reindex_taken (seq bigint primary key)`,
];
