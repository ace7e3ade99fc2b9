import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Pool, PoolClient } from 'pg';
import { KIB } from '../../../kernel/domain/bytes.js';
import { asError } from '../../../kernel/errors/service-error.js';
import { isSqlError } from '../../../kernel/errors/sql-state.js';
import type { Sql } from '../../../kernel/sql/sql.js';
import { allow, GuardedClient, type StatementTime } from '../connection/guarded-client.js';
import { type Queryable, together, unlessAborted } from '../connection/queryable.js';

type Query = ReturnType<Sql['toQuery']>;

/** A server keeps each plan in every connection: a few kilobytes. */
const MOST_NAMES = 200;

/** Longer texts belong to large searches and would fill the memory. */
const LONGEST = 16 * KIB;

const MOST_COUNTED = 1_000;

/** From this length a custom plan looks values up in a list; a generic one compares each member in turn. */
const LONG = 9;

/** Exceeds the value of a custom plan, whatever the list is for. */
const VERY_LONG = 33;

/** Whether a column is compared with a long list. */
const hasLongList = ({ text, params }: Query): boolean =>
  params.some((param, at) => {
    if (!Array.isArray(param)) return false;
    // Patterns are one text, which a generic plan would split for each row.
    if (text.includes(`string_to_array(($${at + 1}::text[])[1]`)) return true;
    if (param.length < LONG) return false;
    return param.length >= VERY_LONG || text.includes(`any($${at + 1}::`);
  });

/**
 * Names repeated statements, which the server parses and plans once per connection, except those with long lists. The
 * number is limited, since search texts are unlimited.
 */
export class StatementNames {
  private readonly names = new Map<string, string>();
  private readonly seen = new LRUCache<string, true>({ max: MOST_COUNTED });

  nameOf(query: Query): string | undefined {
    const { text } = query;
    if (text.length > LONGEST || hasLongList(query)) return undefined;
    const name = this.names.get(text);
    if (name !== undefined || this.names.size >= MOST_NAMES) return name;
    if (!this.seen.has(text)) {
      this.seen.set(text, true);
      return undefined;
    }
    this.seen.delete(text);
    const given = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    this.names.set(text, given);
    return given;
  }
}

interface Cancellable {
  /** Await before any other use; afterwards nothing is cancelled. */
  readonly settled: () => Promise<void>;
  /** The signal's reason, if that caused the failure. */
  readonly reasonOf: (error: unknown) => unknown;
}

/**
 * Cancels what `client` runs, while the caller owns it; a connection that continues is destroyed. Check the
 * signal between statements: an idle connection notices nothing.
 */
function cancelOnAbort(client: PoolClient, signal: AbortSignal | undefined): Cancellable {
  let cancelled: Promise<void> | undefined;
  const cancel = (): void => {
    if (client instanceof GuardedClient) cancelled ??= client.cancelStatement();
  };
  // It ended as requested, or was given up.
  const isCancelled = (error: unknown): boolean =>
    isSqlError(error, 'queryCanceled') || client.connection.stream.destroyed;
  signal?.addEventListener('abort', cancel, { once: true });
  return {
    settled: async () => {
      signal?.removeEventListener('abort', cancel);
      if (cancelled === undefined) return;
      await cancelled;
      // A cancel request still under way hits this statement.
      await client.query('select').catch(() => undefined);
      cancelled = undefined;
    },
    reasonOf: (error) => (signal?.aborted === true && isCancelled(error) ? asError(signal.reason) : error),
  };
}

/** Fails with the signal's reason on abort while none is free. */
export async function connectUnlessAborted(pool: Pool, signal: AbortSignal | undefined): Promise<PoolClient> {
  signal?.throwIfAborted();
  const connecting = pool.connect();
  if (signal === undefined) return connecting;
  // Each waiting caller gets an idle one in this turn of the event loop.
  if (pool.idleCount >= pool.waitingCount) {
    const client = await connecting;
    if (!signal.aborted) return client;
    client.release();
    throw asError(signal.reason);
  }
  connecting.then(
    (client) => {
      if (signal.aborted) client.release();
    },
    () => undefined,
  );
  return unlessAborted(connecting, signal);
}

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
type ConnectionCheck = (client: PoolClient) => Promise<void>;

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
   * parameters, runs before the snapshot. The first statements of `work` are pipelined with the begin.
   */
  snapshot<T>(work: (transaction: Transaction) => Promise<T>, signal?: AbortSignal, lock?: Sql): Promise<T> {
    return this.connected(signal, (connection) => {
      const { client } = connection;
      const begun = client.query(beginning('begin isolation level repeatable read, read only', lock));
      const query = async <Row>(statement: Sql): Promise<Row[]> => {
        signal?.throwIfAborted();
        const [, rows] = await together(begun, run<Row>(client, statement));
        return rows;
      };
      return this.ended(connection, async () => {
        const [, result] = await together(begun, work({ client, query }));
        return result;
      });
    });
  }

  private within<Opened, T>(
    begin: string,
    open: (transaction: Queryable) => Promise<Opened>,
    work: (transaction: Transaction, opened: Opened) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.connected(signal, (connection) => {
      const { client } = connection;
      const query = async <Row>(statement: Sql): Promise<Row[]> => {
        signal?.throwIfAborted();
        return run<Row>(client, statement);
      };
      return this.ended(connection, async () => {
        const [, opened] = await together(client.query(begin), open({ query }));
        return work({ client, query }, opened);
      });
    });
  }

  private async ended<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
    const { client } = connection;
    try {
      const result = await work();
      const { command } = await client.query('commit');
      // `work` ignored a failure, so commit rolled back.
      if (command === 'ROLLBACK') throw new Error('The transaction was rolled back, because a statement in it failed');
      return result;
    } catch (error) {
      await connection.settled();
      // The connection is not returned to the pool.
      await client.query('rollback').catch((failure: unknown) => {
        connection.broken = asError(failure);
      });
      throw error;
    }
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
