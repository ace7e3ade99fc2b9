import { Socket } from 'node:net';

import pg from 'pg';

import { HOUR_MS } from '../../../kernel/domain/calendar.js';
import { isDriverFailure } from '../../../kernel/errors/driver-failure.js';
import { requestCancel } from './cancel-request.js';

/**
 * The time limit of statements without another one. It detects hangs: statements that should be faster set their own.
 */
const STATEMENT_MS = 60_000;

/** The same for statements over all records, or with a caller who cancels them in time. */
const LONG_STATEMENT_MS = 6 * HOUR_MS;

const CONNECT_MS = 5_000;
const KEEPALIVE_MS = 5_000;

/** If a cancel has no effect for this long, the connection is given up. */
const NO_EFFECT_MS = 2_000;

/** How long a statement may take: hours, as one over all records does, or as long as is usual on its connection. */
export type StatementTime = 'long' | 'usual';

/** The options of a connection. */
export interface GuardedConfig extends pg.ClientConfig {
  /** The time limit of one statement, in milliseconds; a minute by default. */
  readonly statementMs?: number;
  /** Whether its statements are often sent `together`: those of one turn then go in one packet. */
  readonly gathers?: boolean;
}

/**
 * The class of all our PostgreSQL connections: pools, LISTEN, locks, cursors. Connecting and every statement have a
 * deadline: after it the statement is cancelled, and the connection destroyed if that has no effect. An error of
 * the connection fails its current or next work, and is never an unhandled error, which would end the process.
 */
export class GuardedClient extends pg.Client {
  /** The server process behind it, of the server itself even with a pooler in between; known after the first check. */
  backendPid: number | undefined;
  /** The time limit of statements, from the next one on, in milliseconds. */
  private statementMs: number;
  private readonly usualMs: number;
  /** Statements passed to it that have not ended. */
  private unanswered = 0;
  private statementBeganMs = 0;
  private deadline: NodeJS.Timeout | undefined;
  private isGathering = false;
  /** What ended the connection while no statement was under way. */
  private lostBy: Error | undefined;

  constructor({ statementMs = STATEMENT_MS, gathers = false, ...config }: GuardedConfig = {}) {
    super({
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_MS,
      ...config,
      // Statements of one transaction need not wait for each other's answers: see `together`.
      pipeline: true,
      // For a pool it also limits the wait for a free connection, which may be longer.
      connectionTimeoutMillis: Math.min(config.connectionTimeoutMillis ?? CONNECT_MS, CONNECT_MS),
    });
    this.statementMs = statementMs;
    this.usualMs = statementMs;
    this.on('error', (error) => {
      this.lostBy ??= error;
    });
    // Promises, callbacks and cursors all pass through here.
    this.query = new Proxy(Reflect.get(this, 'query'), {
      apply: (query, client, given): unknown => {
        this.begin();
        if (gathers) this.sendAtOnce();
        const asked = Reflect.apply(query, client, given) as unknown;
        return this.lostBy !== undefined && asked instanceof Promise ? asked.catch(this.sayWhy) : asked;
      },
    });
    // The server hangs up when it has read the terminate message, which never happens on a dead connection.
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

  /** How long its statement has been running, in milliseconds; 0 without one. */
  get busyMs(): number {
    return this.unanswered === 0 ? 0 : performance.now() - this.statementBeganMs;
  }

  /** How many bytes the server has sent on it. */
  get bytesRead(): number {
    const { stream } = this.connection;
    return stream instanceof Socket ? stream.bytesRead : 0;
  }

  /** From the next statement on, each may take so long. */
  allow(time: StatementTime): void {
    this.statementMs = time === 'long' ? LONG_STATEMENT_MS : this.usualMs;
  }

  /**
   * Cancels the running statement; destroys the connection if it still runs two seconds later. Resolves when the server
   * has passed the request on, so that it cannot hit a later statement.
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

  /** Closes it abruptly; its current work fails with `reason`. */
  abandon(reason: Error): void {
    this.connection.stream.destroy(reason);
  }

  /**
   * What is asked in one turn goes in one packet: each costs the server and the process a system call and a wake-up.
   */
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

  /** Of a statement after the connection was lost the driver says only that it was. */
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

/** `GuardedClient.allow` for a connection that the driver's or TypeORM's types declare differently. */
export function allow(client: object, time: StatementTime): void {
  if (client instanceof GuardedClient) client.allow(time);
}
