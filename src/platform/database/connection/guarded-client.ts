import { Socket } from 'node:net';
import pg, { type ClientBase } from 'pg';
import type { DataSource } from 'typeorm';
import { HOUR_MS } from '../../../kernel/domain/calendar.js';
import { isDriverFailure } from '../../../kernel/errors/sql-state.js';
import { applySessionSettings } from './session-settings.js';

declare module 'pg' {
  interface Connection {
    connect(portOrPath: number | string, host?: string): void;
    requestSsl(): void;
    cancel(processID: number, secretKey: number): void;
  }
  /** Known once it is connected. */
  interface Client {
    readonly processID: number;
    readonly secretKey: number;
  }
}

const CANCEL_MS = 2_000;

interface Backend {
  readonly host: string;
  readonly port: number;
  readonly ssl: boolean | object;
  readonly processID: number;
  readonly secretKey: number;
}

/**
 * Cancels the running statement (PostgreSQL, Canceling Requests in Progress) over a separate connection, which needs no
 * free slot. Resolves once the request is passed on, so that it hits no later statement; also, without effect, if the
 * server is unreachable. The driver's own `cancel` speaks no TLS.
 */
export async function requestCancel({ host, port, ssl, processID, secretKey }: Backend): Promise<void> {
  const connection = new pg.Connection({ ssl });
  const { stream } = connection;
  const late = setTimeout(() => stream.destroy(), CANCEL_MS);
  const send = (): void => {
    connection.cancel(processID, secretKey);
  };
  await new Promise<void>((done) => {
    connection.on('error', () => stream.destroy());
    connection.once('end', done);
    connection.once('connect', () => {
      if (ssl === false) send();
      else connection.requestSsl();
    });
    connection.once('sslconnect', send);
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
  clearTimeout(late);
}

/** Default limit; it detects hangs. Statements that should be faster set their own. */
const STATEMENT_MS = 60_000;

const LONG_STATEMENT_MS = 6 * HOUR_MS;

const CONNECT_MS = 5_000;
const KEEPALIVE_MS = 5_000;

/** A connection is destroyed if a cancel has no effect for this long. */
const NO_EFFECT_MS = 2_000;

export type StatementTime = 'long' | 'usual';

export interface GuardedConfig extends pg.ClientConfig {
  /** Milliseconds; a minute by default. */
  readonly statementMs?: number;
  /** Statements are often sent `together`: those of one turn go in one packet. */
  readonly gathers?: boolean;
}

/**
 * All PostgreSQL connections. Connecting and statements have deadlines: a late statement is cancelled, then the
 * connection destroyed. Connection errors fail the current or next work, and never end the process.
 */
export class GuardedClient extends pg.Client {
  /** The server's own process, also behind a pooler; known after the first check. */
  backendPid: number | undefined;
  /** Milliseconds, from the next statement on. */
  private statementMs: number;
  private readonly usualMs: number;
  private unanswered = 0;
  private statementBeganMs = 0;
  private deadline: NodeJS.Timeout | undefined;
  private isGathering = false;
  private lostBy: Error | undefined;

  constructor({ statementMs = STATEMENT_MS, gathers = false, ...config }: GuardedConfig = {}) {
    super({
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_MS,
      ...config,
      // Statements of one transaction need not await each other: see `together`.
      pipeline: true,
      // For a pool it also limits the wait for a free connection.
      connectionTimeoutMillis: Math.min(config.connectionTimeoutMillis ?? CONNECT_MS, CONNECT_MS),
    });
    this.statementMs = statementMs;
    this.usualMs = statementMs;
    this.on('error', (error) => {
      this.lostBy ??= error;
    });
    // Promises, callbacks and cursors all pass here.
    this.query = new Proxy(Reflect.get(this, 'query'), {
      apply: (query, client, given): unknown => {
        this.begin();
        if (gathers) this.sendAtOnce();
        const asked = Reflect.apply(query, client, given) as unknown;
        return this.lostBy !== undefined && asked instanceof Promise ? asked.catch(this.sayWhy) : asked;
      },
    });
    // A dead connection never answers the terminate message.
    this.end = new Proxy(Reflect.get(this, 'end'), {
      apply: (end, client, given): unknown => {
        setTimeout(() => {
          this.abandon(new Error('Connection terminated: the database did not hang up'));
        }, NO_EFFECT_MS).unref();
        return Reflect.apply(end, client, given) as unknown;
      },
    });
    this.connection.on('readyForQuery', () => {
      this.answered();
    });
    this.once('end', () => {
      this.unanswered = 0;
      clearTimeout(this.deadline);
    });
  }

  get busyMs(): number {
    return this.unanswered === 0 ? 0 : performance.now() - this.statementBeganMs;
  }

  get bytesRead(): number {
    const { stream } = this.connection;
    return stream instanceof Socket ? stream.bytesRead : 0;
  }

  allow(time: StatementTime): void {
    this.statementMs = time === 'long' ? LONG_STATEMENT_MS : this.usualMs;
  }

  /**
   * Destroys the connection if the statement still runs two seconds later. Resolves once the request is passed on, so
   * that it hits no later statement.
   */
  async cancelStatement(): Promise<void> {
    const cancelled = this.statementBeganMs;
    setTimeout(() => {
      if (this.unanswered > 0 && this.statementBeganMs === cancelled) {
        this.abandon(new Error('Connection terminated: the database did not end a statement that was cancelled'));
      }
    }, NO_EFFECT_MS).unref();
    await requestCancel(this);
  }

  /** Closes abruptly; current work fails with `reason`. */
  abandon(reason: Error): void {
    this.connection.stream.destroy(reason);
  }

  /** One packet per turn: each costs both sides a system call and a wake-up. */
  private sendAtOnce(): void {
    const { stream } = this.connection;
    if (this.isGathering || !(stream instanceof Socket)) return;
    this.isGathering = true;
    stream.cork();
    process.nextTick(() => {
      this.isGathering = false;
      stream.uncork();
    });
  }

  /** The driver's later errors do not name the cause. */
  private readonly sayWhy = (failure: unknown): never => {
    throw isDriverFailure(failure)
      ? new Error(`Connection terminated: ${this.lostBy?.message}`, { cause: this.lostBy })
      : failure;
  };

  private begin(): void {
    this.unanswered += 1;
    if (this.unanswered === 1) this.time();
  }

  private answered(): void {
    clearTimeout(this.deadline);
    this.unanswered = Math.max(0, this.unanswered - 1);
    if (this.unanswered > 0) this.time();
  }

  private time(): void {
    this.statementBeganMs = performance.now();
    this.deadline = setTimeout(() => {
      void this.cancelStatement();
    }, this.statementMs).unref();
  }
}

/** For connections that other types declare. */
export function allow(client: object, time: StatementTime): void {
  if (client instanceof GuardedClient) client.allow(time);
}

const FREE_CONNECTION_MS = 10_000;

export interface ConnectionOptions {
  readonly Client: typeof GuardedClient;
  readonly connectionTimeoutMillis: number;
  readonly onConnect: (client: ClientBase) => Promise<void>;
}

export const CONNECTION_OPTIONS: ConnectionOptions = {
  Client: GuardedClient,
  connectionTimeoutMillis: FREE_CONNECTION_MS,
  onConnect: applySessionSettings,
};

export function guardedPool(options: ConnectionOptions, config: GuardedConfig & { readonly max: number }): pg.Pool {
  const pool = new pg.Pool({ ...options, ...config });
  // A connection that breaks while idle is replaced on demand.
  pool.on('error', () => undefined);
  return pool;
}

/** Hidden by TypeORM's types; undefined while not connected. */
export function poolOf({ driver }: DataSource): pg.Pool | undefined {
  const pool: unknown = Reflect.get(driver, 'master');
  return pool instanceof pg.Pool ? pool : undefined;
}
