import { Socket } from 'node:net';

import pg from 'pg';

import { requestCancel } from './cancel-request.js';

/** How long a statement may take that nobody else bounds. It bounds a hang: what should be faster says so itself. */
const STATEMENT_MS = 60_000;

/** The same for what goes through all records, or has a caller who cancels it in time. */
const LONG_STATEMENT_MS = 6 * 3_600_000;

const CONNECT_MS = 5_000;
const KEEPALIVE_MS = 5_000;

/** A connection on which a cancel has no effect for so long is given up. */
const NO_EFFECT_MS = 2_000;

/** What a connection is made with. */
export interface GuardedConfig extends pg.ClientConfig {
  /** How long one statement may take, in milliseconds; a minute unless it is said. */
  readonly statementMs?: number;
}

/**
 * A connection to PostgreSQL as all of ours are: pools, LISTEN, locks, cursors. Connecting has a deadline and so has every
 * statement: past it the statement is cancelled, and the connection destroyed when that has no effect. An error of
 * it is an error of what it works on, now or next, and never one that nobody listens for, which would end the process.
 */
export class GuardedClient extends pg.Client {
  /**
   * The process that serves it, of the server itself even where a pooler stands in between; known once it was looked
   * at.
   */
  backendPid: number | undefined;
  /** How long a statement may take, from the next one on, in milliseconds. */
  private statementMs: number;
  private readonly usualMs: number;
  /** Statements that were given to it and have not ended. */
  private unanswered = 0;
  private statementBeganMs = 0;
  private deadline: NodeJS.Timeout | undefined;

  constructor({ statementMs = STATEMENT_MS, ...config }: GuardedConfig = {}) {
    super({
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_MS,
      ...config,
      // Of a pool it also bounds the wait for a free connection, which may be longer.
      connectionTimeoutMillis: Math.min(config.connectionTimeoutMillis ?? CONNECT_MS, CONNECT_MS),
    });
    this.statementMs = statementMs;
    this.usualMs = statementMs;
    this.on('error', () => undefined);
    // Promises, callbacks and cursors all come through here.
    this.query = new Proxy(Reflect.get(this, 'query'), {
      apply: (query, client, given): unknown => {
        this.begin();
        return Reflect.apply(query, client, given) as unknown;
      },
    });
    // The server hangs up when it has read the farewell, which it never does where nothing comes through any more.
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

  /** For how long its statement has run, in milliseconds; 0 without one. */
  get busyMs(): number {
    return this.unanswered === 0 ? 0 : performance.now() - this.statementBeganMs;
  }

  /** What the server has sent on it so far. */
  get bytesRead(): number {
    const { stream } = this.connection;
    return stream instanceof Socket ? stream.bytesRead : 0;
  }

  /** From the next statement on each may take as long as what goes through all records, or no longer than any. */
  allow(length: 'long' | 'usual'): void {
    this.statementMs = length === 'long' ? LONG_STATEMENT_MS : this.usualMs;
  }

  /**
   * Cancels the statement that runs; destroys the connection when it still runs two seconds later. Done when the server
   * has passed the request on, so that it can hit no later statement.
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

  /** Breaks it off without a farewell; what it works on fails with `reason`. */
  abandon(reason: Error): void {
    this.connection.stream.destroy(reason);
  }

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

/** `GuardedClient.allow` of a connection that the driver's types, or TypeORM's, hand out as another. */
export function allow(client: object, length: 'long' | 'usual'): void {
  if (client instanceof GuardedClient) client.allow(length);
}
