import { isSqlError } from '../../../kernel/errors/sql-state.js';
import type { ClientBase, Pool } from 'pg';
import { DatabaseServerError } from './database-server-error.js';
import { placeOf } from './place-of.js';
import { GuardedClient, type GuardedConfig } from './guarded-client.js';
import { CONNECTION_OPTIONS, type ConnectionOptions, guardedPool } from './guarded-pool.js';
import { isPooled, refuseTransactionPooler } from './pooler.js';
import { lookAt, type ServerLook } from './server-look.js';
import { applySessionSettings } from './session-settings.js';

/** How long the disk counts as full after a statement failed for lack of space; by then it has been checked again. */
const OUT_OF_ROOM_MS = 6_000;

/** How long a pooler in session mode is trusted to stay in it. */
const POOLER_MS = 60_000;

/**
 * The primary as this process sees it: every connection to it is made here (`connectionOptions` for pools, `connect`
 * for a single one), so that each is checked before use. A standby is refused, and so is a pooler in transaction
 * mode. If the server has changed because a standby was promoted, it was restarted or it crashed, or its database
 * because a dump was restored in it, everyone who caches database contents is told to drop them before anything is read
 * from the new server, and connections to the old one are closed.
 *
 * If you cache database contents in memory, register the cache with `onNewServer`.
 */
export class Primary {
  /** For `guardedPool`, or `extra` of TypeORM. */
  readonly connectionOptions: ConnectionOptions & { readonly primary: Primary };
  private readonly clients = new Set<GuardedClient>();
  private readonly listeners: (() => void)[] = [];
  private incarnation: string | undefined;
  private outOfRoomMs = -Infinity;
  private poolerFitMs = -Infinity;

  /** `url` contains credentials: never log it. */
  constructor(readonly url: string) {
    this.connectionOptions = {
      ...CONNECTION_OPTIONS,
      primary: this,
      onConnect: async (client) => {
        await this.admit(client);
        await applySessionSettings(client);
      },
    };
  }

  /**
   * Calls `forget` whenever the server has changed: at once, before anything is read from the new server. It must not
   * throw, and must defer reading anything again.
   */
  onNewServer(forget: () => void): void {
    this.listeners.push(forget);
  }

  /**
   * A separate pool with at most this many connections. `name` is shown by the server; a statement may take
   * `statementMs`, a minute by default. `gathers`: see `GuardedConfig`.
   */
  pool(name: string, most: number, options: Pick<GuardedConfig, 'statementMs' | 'gathers'> = {}): Pool {
    return guardedPool(this.connectionOptions, {
      connectionString: this.url,
      application_name: name,
      max: most,
      ...options,
    });
  }

  /**
   * A single connection; `name` is shown by the server. Throws if the server cannot be reached or is a standby, and if
   * `signal` aborts meanwhile.
   */
  async connect(name: string, signal?: AbortSignal): Promise<GuardedClient> {
    signal?.throwIfAborted();
    const client = new GuardedClient({ connectionString: this.url, application_name: name });
    const abandon = (): void => {
      client.abandon(new Error('Connection terminated: nobody waits for it any more'));
    };
    signal?.addEventListener('abort', abandon, { once: true });
    try {
      await client.connect();
      await this.admit(client);
      return client;
    } catch (error) {
      client.abandon(new Error('Connection terminated: it was refused'));
      throw error;
    } finally {
      signal?.removeEventListener('abort', abandon);
    }
  }

  private async admit(client: ClientBase): Promise<void> {
    const { isStandby, pid, incarnation } = await lookAt(client);
    if (isStandby) {
      throw new DatabaseServerError(`The server at ${placeOf(this.url)} is a standby: the primary is needed.`);
    }
    if (isPooled(client, pid)) await this.refusePooler(client);
    this.meet(incarnation);
    if (!(client instanceof GuardedClient)) return;
    client.backendPid = pid;
    this.clients.add(client);
    client.connection.on('errorMessage', (message: unknown) => {
      if (isSqlError(message, 'diskFull')) this.outOfRoomMs = performance.now();
    });
    client.once('end', () => this.clients.delete(client));
  }

  /** A pooler is checked only once in a while: its mode rarely changes. */
  private async refusePooler(client: ClientBase): Promise<void> {
    if (performance.now() - this.poolerFitMs < POOLER_MS) return;
    await refuseTransactionPooler(this.url, client);
    this.poolerFitMs = performance.now();
  }

  /** The connections whose statement has been unanswered for this long. */
  slowerThan(ms: number): readonly GuardedClient[] {
    return [...this.clients].filter(({ busyMs }) => busyMs > ms);
  }

  /** Closes every connection that does nothing at the moment. */
  leave(): void {
    for (const client of this.clients) {
      if (client.busyMs === 0) client.abandon(new Error('Connection terminated: the database is shutting down'));
    }
  }

  /** Whether a statement failed recently because the server's disk is full. */
  get isOutOfRoom(): boolean {
    return performance.now() - this.outOfRoomMs < OUT_OF_ROOM_MS;
  }

  /** A connection to the server in this incarnation was made. */
  meet(incarnation: ServerLook['incarnation']): void {
    if (incarnation === null) return;
    const isNew = this.incarnation !== undefined && this.incarnation !== incarnation;
    this.incarnation = incarnation;
    if (!isNew) return;
    for (const client of this.clients) client.abandon(new Error('Connection terminated: the server is another now'));
    this.clients.clear();
    for (const forget of this.listeners) forget();
  }
}
