import type { ClientBase, Pool } from 'pg';

import { DatabaseServerError } from '../database-server-error.js';
import { placeOf } from '../place-of.js';
import { GuardedClient } from './guarded-client.js';
import type { ConnectionOptions } from './guarded-pool.js';
import { CONNECTION_OPTIONS, guardedPool } from './guarded-pool.js';
import { isPooled, refuseTransactionPooler } from './pooler.js';
import { lookAt } from './server-look.js';
import { applySessionSettings } from './session-settings.js';

/** For so long after a statement that failed for want of room the disk is taken for full; by then it has been looked at again. */
const OUT_OF_ROOM_MS = 6_000;
const DISK_FULL = '53100';

/** How long a pooler that keeps sessions is taken for one. */
const POOLER_MS = 60_000;

/**
 * The server that holds the truth, as this process meets it: every connection to it is made here (`connectionOptions` for
 * pools, `connect` for one alone), so that each is looked at before it is used. A standby is refused, and so is a pooler in
 * transaction mode. When the server
 * is another than a moment ago, because a standby was promoted, it was restarted or it crashed, whoever keeps something of
 * the database in memory is told to forget it before anything is read from the new one, and connections to the old one are
 * broken off.
 *
 * Whatever you keep of the database in memory: register it with `onNewServer`.
 */
export class Primary {
  /** For `guardedPool`, or `extra` of TypeORM. */
  readonly connectionOptions: ConnectionOptions & { readonly primary: Primary };
  private readonly clients = new Set<GuardedClient>();
  private readonly listeners: (() => void)[] = [];
  private incarnation: string | undefined;
  private outOfRoomMs = -Infinity;
  private poolerFitMs = -Infinity;

  /** `url` has credentials: never to be logged. */
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
   * Calls `forget` whenever the server is another than before. It is called at once, before anything is read from the new
   * server; it must not throw, and what it reads again it reads later.
   */
  onNewServer(forget: () => void): void {
    this.listeners.push(forget);
  }

  /**
   * A pool of its own, with so many connections at most; `name` is what the server calls them, and a statement may take
   * `statementMs`, a minute unless it is said.
   */
  pool(name: string, most: number, statementMs?: number): Pool {
    return guardedPool(this.connectionOptions, {
      connectionString: this.url,
      application_name: name,
      max: most,
      ...(statementMs !== undefined && { statementMs }),
    });
  }

  /**
   * One connection; `name` is what the server calls it. Throws when the server cannot be reached or is a standby, and when
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
      throw new DatabaseServerError(`The server at ${placeOf(this.url)} is a standby: needed is the primary.`);
    }
    if (isPooled(client, pid)) await this.refusePooler(client);
    this.meet(incarnation);
    if (!(client instanceof GuardedClient)) return;
    client.backendPid = pid;
    this.clients.add(client);
    client.connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
      if (code === DISK_FULL) this.outOfRoomMs = performance.now();
    });
    client.once('end', () => this.clients.delete(client));
  }

  /** A pooler is asked once in a while: it stays what it is. */
  private async refusePooler(client: ClientBase): Promise<void> {
    if (performance.now() - this.poolerFitMs < POOLER_MS) return;
    await refuseTransactionPooler(this.url, client);
    this.poolerFitMs = performance.now();
  }

  /** The connections whose statement has not been answered for so long. */
  slowerThan(ms: number): readonly GuardedClient[] {
    return [...this.clients].filter(({ busyMs }) => busyMs > ms);
  }

  /** Whether a statement failed lately because the disk of the server is full. */
  get isOutOfRoom(): boolean {
    return performance.now() - this.outOfRoomMs < OUT_OF_ROOM_MS;
  }

  /** A connection to the server has been made that is this one. */
  meet(incarnation: string): void {
    const isNew = this.incarnation !== undefined && this.incarnation !== incarnation;
    this.incarnation = incarnation;
    if (!isNew) return;
    for (const client of this.clients) client.abandon(new Error('Connection terminated: the server is another now'));
    this.clients.clear();
    for (const forget of this.listeners) forget();
  }
}
