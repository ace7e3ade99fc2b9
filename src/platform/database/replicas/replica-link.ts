import type { Client, ClientBase, Pool, PoolClient } from 'pg';
import { GuardedClient } from '../connection/guarded-client.js';
import { CONNECTION_OPTIONS, guardedPool } from '../connection/guarded-pool.js';
import { Connections } from '../pools/connections.js';
import { unlessAborted } from '../connection/unless-aborted.js';
import { type LogOrigin, ORIGIN } from './primary-position.js';
import { lagAfterWaiting } from './replay.js';
import { ReplicaFault, replicaFaultOf } from './replica-fault.js';

const LOOK_DEADLINE_MS = 2_000;

/** Something to read, on a replica or on the primary. */
export interface Reading<T> {
  readonly work: (reader: Connections) => Promise<T>;
  /** Aborts the work, which then fails with its reason. */
  readonly signal: AbortSignal | undefined;
}

/** How to reach and read a replica. */
export interface ReplicaAddress {
  readonly url: string;
  readonly poolSize: number;
  /** How long a search waits for the replica to catch up. */
  readonly patienceMs: number;
}

/** The connections to a replica, from when it is reached until it is lost. */
export class ReplicaLink {
  private readonly pool: Pool;
  private readonly clients = new Set<Client>();
  /**
   * The log position that each connection was seen to have reached. A server that goes back in its log has ended its
   * connections.
   */
  private readonly seen = new WeakMap<PoolClient, string>();
  /** What the replica replayed at the last check, and what each connection was seen to. */
  private origin: LogOrigin | undefined;
  private readonly origins = new WeakMap<PoolClient, LogOrigin>();
  /**
   * Aborts when the link is closed. A signal and not a promise: a read removes its listener at its end, but could not
   * stop waiting for a promise, which would keep it, and the records that it read, as long as the link.
   */
  private readonly lost = new AbortController();

  private constructor(
    private readonly watcher: Client,
    private readonly address: ReplicaAddress,
  ) {
    this.pool = guardedPool(CONNECTION_OPTIONS, {
      connectionString: address.url,
      application_name: 'matricula',
      max: address.poolSize,
    });
    this.pool.on('connect', (client) => this.clients.add(client));
    this.pool.on('remove', (client) => this.clients.delete(client));
  }

  /** Connects. Throws if the server does not answer. */
  static async open(address: ReplicaAddress): Promise<ReplicaLink> {
    const watcher = new GuardedClient({
      connectionString: address.url,
      application_name: 'matricula replica',
      connectionTimeoutMillis: LOOK_DEADLINE_MS,
      // Nothing else monitors it, and a hanging connection must not be waited for.
      query_timeout: LOOK_DEADLINE_MS,
    });
    try {
      await watcher.connect();
      return new ReplicaLink(watcher, address);
    } catch (error) {
      watcher.connection.stream.destroy();
      throw error;
    }
  }

  /** Throws unless it replays the log of the primary. */
  async requireOrigin(primary: LogOrigin): Promise<void> {
    const fault = await originFault(this.watcher, primary);
    if (fault !== undefined) throw new Error(fault);
    if (this.origin === undefined || !isSameOrigin(this.origin, primary)) this.origin = primary;
  }

  /**
   * The bytes of log that it lacks up to `position`, after a short wait; 0 if it can be searched. Throws if it is lost.
   */
  lag(position: string): Promise<number> {
    return lagAfterWaiting(this.watcher, position, this.address.patienceMs);
  }

  /**
   * Runs `work` on connections that show everything before `position`. Throws `ReplicaFault` if they do not in time, or
   * break, or the replica fails; then `work` may still be running, and fails. Other failures are passed on.
   */
  async read<T>(position: string, { work, signal }: Reading<T>): Promise<T> {
    let used: PoolClient | undefined;
    const reader = new Connections(
      () => this.pool,
      async (client) => {
        used = client;
        await this.requireFollower(client);
        if (this.seen.get(client) === position) return;
        const lag = await lagAfterWaiting(client, position, this.address.patienceMs);
        if (lag > 0) throw new ReplicaFault(`the replica is ${lag} bytes behind`, true);
        this.seen.set(client, position);
      },
    );
    try {
      return await unlessAborted(work(reader), this.lost.signal);
    } catch (error) {
      if (error instanceof ReplicaFault || signal?.aborted === true) throw error;
      const isBroken = used === undefined || used.connection.stream.destroyed;
      throw isBroken
        ? new ReplicaFault('the replica was lost', true, { cause: error })
        : (replicaFaultOf(error) ?? error);
    }
  }

  /**
   * A name may lead to several replicas, and a connection to another one than that which is watched. Throws
   * `ReplicaFault`.
   */
  private async requireFollower(client: PoolClient): Promise<void> {
    const { origin } = this;
    if (origin === undefined || this.origins.get(client) === origin) return;
    const fault = await originFault(client, origin);
    if (fault !== undefined) {
      client.connection.stream.destroy();
      throw new ReplicaFault(`another server than the replica answered: ${fault}`, true);
    }
    this.origins.set(client, origin);
  }

  /** Closes all connections without a terminate message: a hanging server would not accept it. */
  close(): void {
    this.lost.abort(new ReplicaFault('the replica was lost', true));
    this.watcher.connection.stream.destroy();
    for (const { connection } of this.clients) connection.stream.destroy();
    this.pool.end().catch(() => undefined);
  }
}

/** Why the server of a connection does not replay the log of the primary; undefined if it does. */
async function originFault(client: ClientBase, primary: LogOrigin): Promise<string | undefined> {
  const { rows } = await client.query<LogOrigin>({ name: 'origin', text: ORIGIN });
  const [found] = rows;
  if (found?.identity !== primary.identity) return 'it holds another database than the primary';
  if (found.timeline === primary.timeline) return undefined;
  return `it follows timeline ${found.timeline}, and the primary writes timeline ${primary.timeline}`;
}

const isSameOrigin = (one: LogOrigin, other: LogOrigin): boolean =>
  one.identity === other.identity && one.timeline === other.timeline;
