import type { Pool, PoolClient } from 'pg';

import type { Sql } from '../../sql/sql.js';
import { allow } from '../connection/guarded-client.js';
import type { Queryable } from '../queryable.js';
import { cancelOnAbort, connectUnlessAborted } from './cancellable-query.js';
import { StatementNames } from './statement-names.js';

/** One transaction's connection. `client` is there for what only the driver can do, such as cursors and COPY. */
export interface Transaction extends Queryable {
  readonly client: PoolClient;
}

interface Connection {
  readonly client: PoolClient;
  /** Before anything that must not be cancelled. */
  readonly settled: () => Promise<void>;
  /** Why it is not given back to the pool. */
  broken: Error | undefined;
}

/** What a connection has to pass each time before it is worked with; a failure of it is a failure of the work. */
export type Admission = (client: PoolClient) => Promise<void>;

/**
 * Runs the project's own SQL on the connections of a pool. Instants come back as `Date`, calendar dates as text, bigint
 * as text (they may pass 2^53). A statement has a minute, or as long as its signal leaves it, or hours where the connections
 * are `long` ones.
 */
export class Connections implements Queryable {
  constructor(
    private readonly pool: () => Pool,
    private readonly admit?: Admission,
    private readonly length: 'long' | 'usual' = 'usual',
  ) {}

  /** A `signal` that aborts cancels the statement, which then fails with its reason. */
  query<Row>(statement: Sql, signal?: AbortSignal): Promise<Row[]> {
    return signal === undefined && this.admit === undefined && this.length === 'usual'
      ? run<Row>(this.pool(), statement)
      : this.connected(signal, ({ client }) => run<Row>(client, statement));
  }

  /** Commits when `work` is done and rolls back when it fails. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.within('begin', work);
  }

  /**
   * Runs `work` on one snapshot of the database, read only (S-5). A `signal` that aborts cancels the statement that runs,
   * which then fails with its reason; no later one begins. `lock`, without parameters, is run before the snapshot is taken.
   */
  snapshot<T>(work: (transaction: Transaction) => Promise<T>, signal?: AbortSignal, lock?: Sql): Promise<T> {
    const begin = 'begin isolation level repeatable read, read only';
    return this.within(lock === undefined ? begin : `${begin}; ${lock.toQuery().text}`, work, signal);
  }

  private within<T>(begin: string, work: (transaction: Transaction) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.connected(signal, async (connection) => {
      const { client } = connection;
      const query = async <Row>(statement: Sql): Promise<Row[]> => {
        signal?.throwIfAborted();
        return run<Row>(client, statement);
      };
      try {
        await client.query(begin);
        const result = await work({ client, query });
        const { command } = await client.query('commit');
        // What a failed transaction answers when `work` has passed over the failure.
        if (command === 'ROLLBACK')
          throw new Error('The transaction was rolled back, because a statement in it failed');
        return result;
      } catch (error) {
        await connection.settled();
        // A connection that cannot roll back is not given back to the pool.
        await client.query('rollback').catch((failure: unknown) => {
          connection.broken = failure instanceof Error ? failure : new Error(String(failure));
        });
        throw error;
      }
    });
  }

  /** Runs `work` on a connection that it has for itself. */
  private async connected<T>(
    signal: AbortSignal | undefined,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    const client = await connectUnlessAborted(this.pool(), signal);
    const { settled, reasonOf } = cancelOnAbort(client, signal);
    const connection: Connection = { client, settled, broken: undefined };
    // The pool listens to idle connections alone. One that breaks while `work` does something else would end the process.
    const onError = (error: Error): void => {
      connection.broken = error;
    };
    client.on('error', onError);
    // Whoever has a signal ends what takes too long.
    allow(client, signal === undefined ? this.length : 'long');
    try {
      await this.admit?.(client);
      return await work(connection);
    } catch (error) {
      throw reasonOf(error);
    } finally {
      await settled();
      client.removeListener('error', onError);
      allow(client, 'usual');
      client.release(connection.broken);
    }
  }
}

/** A plan for any list compares a row with each of its members in turn; one for this list looks the row up in it. */
const isLongList = (param: unknown): boolean => Array.isArray(param) && param.length > 8;

/** For every pool: a name stands for the same text on each connection. */
const NAMES = new StatementNames();

async function run<Row>(connection: Pool | PoolClient, statement: Sql): Promise<Row[]> {
  const { text, params } = statement.toQuery();
  const name = params.some(isLongList) ? undefined : NAMES.nameOf(text);
  const result = await connection.query({ text, values: [...params], ...(name === undefined ? {} : { name }) });
  return result.rows as Row[];
}
