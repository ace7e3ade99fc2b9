import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';

import type { Sql } from '../sql/sql.js';
import type { Queryable } from './queryable.js';

/** One transaction's connection. `client` is there for what only the driver can do, such as cursors and COPY. */
export interface Transaction extends Queryable {
  readonly client: PoolClient;
}

/**
 * Runs the project's own SQL through TypeORM's pool. Instants come back as `Date`, calendar dates as text, bigint as
 * text (they may pass 2^53).
 */
export class Database implements Queryable {
  constructor(readonly dataSource: DataSource) {}

  query<Row>(statement: Sql): Promise<Row[]> {
    return run<Row>(this.pool, statement);
  }

  /** Commits when `work` is done and rolls back when it fails. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.within('begin', work);
  }

  /** Runs `work` on one snapshot of the database, read only (S-5). */
  snapshot<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.within('begin isolation level repeatable read, read only', work);
  }

  private async within<T>(begin: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    // The pool listens to idle connections alone. One that breaks while `work` does something else would end the process.
    const onError = (error: Error): void => {
      broken = error;
    };
    client.on('error', onError);
    try {
      await client.query(begin);
      const result = await work({ client, query: <Row>(statement: Sql) => run<Row>(client, statement) });
      const { command } = await client.query('commit');
      // What a failed transaction answers when `work` has passed over the failure.
      if (command === 'ROLLBACK') throw new Error('The transaction was rolled back, because a statement in it failed');
      return result;
    } catch (error) {
      // A connection that cannot roll back is not given back to the pool.
      await client.query('rollback').catch((failure: unknown) => {
        broken = failure instanceof Error ? failure : new Error(String(failure));
      });
      throw error;
    } finally {
      client.removeListener('error', onError);
      client.release(broken);
    }
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { readonly master: Pool }).master;
  }
}

async function run<Row>(connection: Pool | PoolClient, statement: Sql): Promise<Row[]> {
  const { text, params } = statement.toQuery();
  const result = await connection.query(text, [...params]);
  return result.rows as Row[];
}
