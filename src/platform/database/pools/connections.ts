import type { Pool, PoolClient } from 'pg';
import { asError } from '../../../kernel/errors/as-error.js';
import type { Sql } from '../../../kernel/sql/sql.js';
import { allow, type StatementTime } from '../connection/guarded-client.js';
import type { Queryable } from '../connection/queryable.js';
import { together } from '../connection/together.js';
import { cancelOnAbort, connectUnlessAborted } from './cancellable-query.js';
import { StatementNames } from './statement-names.js';

/** The connection of one transaction. `client` is for what only the driver can do, such as cursors and COPY. */
export interface Transaction extends Queryable {
  readonly client: PoolClient;
}

interface Connection {
  readonly client: PoolClient;
  /** To be called before anything that must not be cancelled. */
  readonly settled: () => Promise<void>;
  /** Why it is not returned to the pool. */
  broken: Error | undefined;
}

/** A check that a connection must pass before each use; its failure fails the work. */
export type ConnectionCheck = (client: PoolClient) => Promise<void>;

/**
 * Runs the project's own SQL on the connections of a pool. Instants are returned as `Date`, calendar dates as text,
 * bigint as text (it may exceed 2^53). A statement has a minute, or the time of its signal, or hours on `long`
 * connections.
 */
export class Connections implements Queryable {
  private found: Pool | undefined;

  constructor(
    private readonly findPool: () => Pool,
    private readonly admit?: ConnectionCheck,
    private readonly time: StatementTime = 'usual',
  ) {}

  /** Looked for once: a data source has another only when it is connected anew. */
  private get pool(): Pool {
    if (this.found === undefined || this.found.ended) this.found = this.findPool();
    return this.found;
  }

  /** A `signal` that aborts cancels the statement, which then fails with its reason. */
  query<Row>(statement: Sql, signal?: AbortSignal): Promise<Row[]> {
    return signal === undefined && this.admit === undefined && this.time === 'usual'
      ? run<Row>(this.pool, statement)
      : this.connected(signal, ({ client }) => run<Row>(client, statement));
  }

  /**
   * Commits when `work` succeeds and rolls back when it fails. `settings`, without parameters, are sent with its begin.
   * A `signal` that aborts cancels the running statement, and the transaction with it.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, settings?: Sql, signal?: AbortSignal): Promise<T> {
    return this.within(beginning('begin', settings), NOTHING, work, signal);
  }

  /**
   * The same; the statements that `open` sends at once go with the begin, without waiting for it. They read and lock
   * only: if the transaction cannot begin, they may run outside of it.
   */
  transactionFrom<Opened, T>(
    open: (transaction: Queryable) => Promise<Opened>,
    work: (transaction: Transaction, opened: Opened) => Promise<T>,
    settings?: Sql,
  ): Promise<T> {
    return this.within(beginning('begin', settings), open, work);
  }

  /**
   * Runs `work` on one read-only snapshot of the database (S-5). A `signal` that aborts cancels the running statement,
   * which then fails with its reason; no later one begins. `lock`, without parameters, runs before the snapshot is
   * taken.
   */
  snapshot<T>(work: (transaction: Transaction) => Promise<T>, signal?: AbortSignal, lock?: Sql): Promise<T> {
    return this.within(beginning('begin isolation level repeatable read, read only', lock), NOTHING, work, signal);
  }

  private within<Opened, T>(
    begin: string,
    open: (transaction: Queryable) => Promise<Opened>,
    work: (transaction: Transaction, opened: Opened) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.connected(signal, async (connection) => {
      const { client } = connection;
      const query = async <Row>(statement: Sql): Promise<Row[]> => {
        signal?.throwIfAborted();
        return run<Row>(client, statement);
      };
      try {
        const [, opened] = await together(client.query(begin), open({ query }));
        const result = await work({ client, query }, opened);
        const { command } = await client.query('commit');
        // The result of commit in a failed transaction whose failure `work` has ignored.
        if (command === 'ROLLBACK')
          throw new Error('The transaction was rolled back, because a statement in it failed');
        return result;
      } catch (error) {
        await connection.settled();
        // A connection that cannot roll back is not returned to the pool.
        await client.query('rollback').catch((failure: unknown) => {
          connection.broken = asError(failure);
        });
        throw error;
      }
    });
  }

  /** Runs `work` on a connection of its own. */
  private async connected<T>(
    signal: AbortSignal | undefined,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    const client = await connectUnlessAborted(this.pool, signal);
    const { settled, reasonOf } = cancelOnAbort(client, signal);
    const connection: Connection = { client, settled, broken: undefined };
    // The pool listens only to idle connections. One that breaks while `work` does something else would end the
    // process.
    const onError = (error: Error): void => {
      connection.broken = error;
    };
    client.on('error', onError);
    // Callers with a signal end what takes too long.
    allow(client, signal === undefined ? this.time : 'long');
    try {
      await this.admit?.(client);
      // It may have aborted when there was no statement to cancel.
      signal?.throwIfAborted();
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

const NOTHING = (): Promise<void> => Promise.resolve();

const beginning = (begin: string, more: Sql | undefined): string =>
  more === undefined ? begin : `${begin}; ${more.toQuery().text}`;

/** For every pool: a name means the same text on each connection. */
const NAMES = new StatementNames();

async function run<Row>(connection: Pool | PoolClient, statement: Sql): Promise<Row[]> {
  const query = statement.toQuery();
  const { text, params } = query;
  const name = NAMES.nameOf(query);
  const result = await connection.query({ text, values: [...params], ...(name === undefined ? {} : { name }) });
  return result.rows as Row[];
}
