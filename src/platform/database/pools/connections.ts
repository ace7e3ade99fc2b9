import type { Pool, PoolClient } from 'pg';
import { asError } from '../../../kernel/errors/as-error.js';
import type { Sql } from '../../../kernel/sql/sql.js';
import { allow, type StatementTime } from '../connection/guarded-client.js';
import type { Queryable } from '../connection/queryable.js';
import { together } from '../connection/together.js';
import { cancelOnAbort, connectUnlessAborted } from './cancellable-query.js';
import { StatementNames } from './statement-names.js';

export interface Transaction extends Queryable {
  readonly client: PoolClient;
}

interface Connection {
  readonly client: PoolClient;
  /** Call before anything that must not be cancelled. */
  readonly settled: () => Promise<void>;
  broken: Error | undefined;
}

/** Run before each use; a failure fails the work. */
export type ConnectionCheck = (client: PoolClient) => Promise<void>;

/**
 * Instants are returned as `Date`, calendar dates and bigint (beyond 2^53) as text. A statement has a minute, its
 * signal's time, or hours on `long` connections.
 */
export class Connections implements Queryable {
  private found: Pool | undefined;

  constructor(
    private readonly findPool: () => Pool,
    private readonly admit?: ConnectionCheck,
    private readonly time: StatementTime = 'usual',
  ) {}

  private get pool(): Pool {
    if (this.found === undefined || this.found.ended) this.found = this.findPool();
    return this.found;
  }

  /** An abort cancels the statement, which fails with the reason. */
  query<Row>(statement: Sql, signal?: AbortSignal): Promise<Row[]> {
    return signal === undefined && this.admit === undefined && this.time === 'usual'
      ? run<Row>(this.pool, statement)
      : this.connected(signal, ({ client }) => run<Row>(client, statement));
  }

  /**
   * Rolls back if `work` fails. `settings`, without parameters, go with the begin. An abort cancels statement and
   * transaction.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, settings?: Sql, signal?: AbortSignal): Promise<T> {
    return this.within(beginning('begin', settings), NOTHING, work, signal);
  }

  /**
   * The first statements of `open` are pipelined with the begin. They only read and lock: without a begin they may run
   * outside of it.
   */
  transactionFrom<Opened, T>(
    open: (transaction: Queryable) => Promise<Opened>,
    work: (transaction: Transaction, opened: Opened) => Promise<T>,
    settings?: Sql,
  ): Promise<T> {
    return this.within(beginning('begin', settings), open, work);
  }

  /**
   * One read-only snapshot (S-5). An abort cancels the statement, which fails with the reason. `lock`, without
   * parameters, runs before the snapshot.
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
        // `work` ignored a failure, so commit rolled back.
        if (command === 'ROLLBACK')
          throw new Error('The transaction was rolled back, because a statement in it failed');
        return result;
      } catch (error) {
        await connection.settled();
        // The connection is not returned to the pool.
        await client.query('rollback').catch((failure: unknown) => {
          connection.broken = asError(failure);
        });
        throw error;
      }
    });
  }

  private async connected<T>(
    signal: AbortSignal | undefined,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    const client = await connectUnlessAborted(this.pool, signal);
    const { settled, reasonOf } = cancelOnAbort(client, signal);
    const connection: Connection = { client, settled, broken: undefined };
    // The pool listens only to idle connections; an unheard error would end the process.
    const onError = (error: Error): void => {
      connection.broken = error;
    };
    client.on('error', onError);
    // Callers with a signal set their own limit.
    allow(client, signal === undefined ? this.time : 'long');
    try {
      await this.admit?.(client);
      // It may have aborted between statements.
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

const NAMES = new StatementNames();

async function run<Row>(connection: Pool | PoolClient, statement: Sql): Promise<Row[]> {
  const query = statement.toQuery();
  const { text, params } = query;
  const name = NAMES.nameOf(query);
  const result = await connection.query({ text, values: [...params], ...(name === undefined ? {} : { name }) });
  return result.rows as Row[];
}
