import { isSqlError } from '../../../kernel/errors/sql-state.js';
import type { ClientBase, Pool } from 'pg';
import { DatabaseServerError } from './database-server.js';
import { placeOf } from './advisory-locks.js';
import {
  CONNECTION_OPTIONS,
  type ConnectionOptions,
  GuardedClient,
  type GuardedConfig,
  guardedPool,
} from './guarded-client.js';
import { isPooled, lookAt, refuseTransactionPooler, type ServerLook } from './server-look.js';
import { applySessionSettings } from './session-settings.js';

/** Time for which the disk counts as full; it is checked again meanwhile. */
const OUT_OF_ROOM_MS = 6_000;

/** Trust in a pooler's session mode. */
const POOLER_MS = 60_000;

/**
 * Checks every connection to the primary; refuses standbys and poolers in transaction mode. After a promotion,
 * restart, crash or restore, caches are dropped before any read, and old connections closed.
 *
 * Caches of database contents must register with `onNewServer`.
 */
export class Primary {
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

  /** `forget` runs before any read from a new server; it must not throw, and must defer reading. */
  onNewServer(forget: () => void): void {
    this.listeners.push(forget);
  }

  /** `name` is for the server; `statementMs` is a minute by default; `gathers`: see `GuardedConfig`. */
  pool(name: string, most: number, options: Pick<GuardedConfig, 'statementMs' | 'gathers'> = {}): Pool {
    return guardedPool(this.connectionOptions, {
      connectionString: this.url,
      application_name: name,
      max: most,
      ...options,
    });
  }

  /** `name` is for the server. Throws if it is unreachable or a standby, or `signal` aborts. */
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

  private async refusePooler(client: ClientBase): Promise<void> {
    if (performance.now() - this.poolerFitMs < POOLER_MS) return;
    await refuseTransactionPooler(this.url, client);
    this.poolerFitMs = performance.now();
  }

  /** Connections whose statement has run for `ms`. */
  slowerThan(ms: number): readonly GuardedClient[] {
    return [...this.clients].filter(({ busyMs }) => busyMs > ms);
  }

  leave(): void {
    for (const client of this.clients) {
      if (client.busyMs === 0) client.abandon(new Error('Connection terminated: the database is shutting down'));
    }
  }

  /** A statement failed recently for want of disk space. */
  get isOutOfRoom(): boolean {
    return performance.now() - this.outOfRoomMs < OUT_OF_ROOM_MS;
  }

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
