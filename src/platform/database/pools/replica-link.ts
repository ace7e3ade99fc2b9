import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientBase, Pool, PoolClient } from 'pg';
import { errorCode } from '../../../kernel/errors/service-error.js';
import { Refresher } from '../../jobs/periodic.js';
import { CONNECTION_OPTIONS, GuardedClient, guardedPool } from '../connection/guarded-client.js';
import type { Primary } from '../connection/primary.js';
import { unlessAborted } from '../connection/queryable.js';
import { Connections } from './connections.js';

/** Searches on replicas wait for the answer, and fail without it. */
const DEADLINE_MS = 5_000;

/** The end of the primary's log. Acknowledged transactions lie before it, unless `synchronous_commit` is off. */
const POSITION = {
  name: 'position',
  text: `
    select case current_setting('synchronous_commit')
             when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn()
           end::text as position`,
};

/** Positions are comparable only within one log. */
export interface LogOrigin {
  /** Cluster and database: equal on a primary and its replicas only. */
  readonly identity: string;
  /** A promotion begins a new branch. Data that a replica replayed past that point is on no primary. */
  readonly timeline: number;
}

/**
 * The timeline of received log, where the role may see it (pg_read_all_stats), else of the latest restart point, up to
 * `checkpoint_timeout` after a promotion.
 */
const ORIGIN = `
  select system_identifier || '/' || (select oid from pg_database where datname = current_database()) as identity,
         case when pg_is_in_recovery()
           then greatest((select timeline_id from pg_control_checkpoint()),
                         (select min_recovery_end_timeline from pg_control_recovery()),
                         (select received_tli from pg_stat_wal_receiver))
           else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int
         end as timeline
    from pg_control_system()`;

/** A separate connection, not to wait behind searches or writes. */
export class PrimaryPosition {
  private position = '';
  private readonly pool: Pool;
  private readonly refresher = new Refresher(async () => {
    const { rows } = await this.pool.query<{ position: string }>(POSITION);
    this.position = rows[0]?.position ?? '';
  });

  constructor(primary: Primary) {
    this.pool = primary.pool('matricula position', 1, { statementMs: DEADLINE_MS });
  }

  /**
   * After everything committed before the call (S-14). Concurrent calls share a later query. Throws if the primary does
   * not answer.
   */
  async current(): Promise<string> {
    await this.refresher.refresh();
    return this.position;
  }

  async origin(): Promise<LogOrigin | undefined> {
    const { rows } = await this.pool.query<LogOrigin>({ name: 'origin', text: ORIGIN });
    return rows[0];
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}

/** The primary may be able to read it. */
export class ReplicaFault extends Error {
  constructor(
    message: string,
    /** Concerns the replica, not just one statement. */
    readonly isLasting: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ReplicaFault';
  }
}

/** Connection exceptions, lack of resources, shutdown, faults of system or server. */
const LASTING = /^(08|53|57P|58|XX)/;
/** The read conflicted with replay. */
const CONFLICT = /^40/;

/** Undefined if the statement would fail anywhere. */
function replicaFaultOf(error: unknown): ReplicaFault | undefined {
  const state = errorCode(error) ?? '';
  if (!LASTING.test(state) && !CONFLICT.test(state)) return undefined;
  return new ReplicaFault('the replica failed', LASTING.test(state), { cause: error });
}

/** Null on a primary, or before any replay. */
const LAG = {
  name: 'replica lag',
  text: `
    select case when pg_is_in_recovery() then greatest(0, pg_wal_lsn_diff($1, pg_last_wal_replay_lsn()))::float8 end as lag`,
};

/**
 * Waits at most `mostMs` for replay up to `position`; resolves with the missing bytes, 0 if none. Later reads on this
 * connection then include everything before. Throws if the server is not a replica.
 */
async function lagAfterWaiting(client: ClientBase, position: string, mostMs: number): Promise<number> {
  const deadline = performance.now() + mostMs;
  for (let pauseMs = 1; ; pauseMs *= 2) {
    const { rows } = await client.query<{ lag: number | null }>({ ...LAG, values: [position] });
    const lag = rows[0]?.lag ?? null;
    if (lag === null) throw new Error('it is no replica that replays the log of a primary');
    const leftMs = deadline - performance.now();
    if (lag === 0 || leftMs <= 0) return lag;
    await sleep(Math.min(pauseMs, leftMs));
  }
}

const LOOK_DEADLINE_MS = 2_000;

export interface Reading<T> {
  readonly work: (reader: Connections) => Promise<T>;
  /** Aborts the work, which then fails with its reason. */
  readonly signal: AbortSignal | undefined;
}

export interface ReplicaAddress {
  readonly url: string;
  readonly poolSize: number;
  readonly patienceMs: number;
}

export class ReplicaLink {
  private readonly pool: Pool;
  private readonly clients = new Set<Client>();
  /** Log positions reached. A server that goes back in its log ends its connections. */
  private readonly seen = new WeakMap<PoolClient, string>();
  /** The replayed log: at the last check, and by connection. */
  private origin: LogOrigin | undefined;
  private readonly origins = new WeakMap<PoolClient, LogOrigin>();
  /**
   * Aborts on close. A read can remove its listener from a signal; a pending promise would keep it and its records as
   * long as the link.
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

  /** Throws if the server does not answer. */
  static async open(address: ReplicaAddress): Promise<ReplicaLink> {
    const watcher = new GuardedClient({
      connectionString: address.url,
      application_name: 'matricula replica',
      connectionTimeoutMillis: LOOK_DEADLINE_MS,
      // The connection is not otherwise monitored.
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

  /** Throws unless the replica replays the primary's log. */
  async requireOrigin(primary: LogOrigin): Promise<void> {
    const fault = await originFault(this.watcher, primary);
    if (fault !== undefined) throw new Error(fault);
    if (this.origin === undefined || !isSameOrigin(this.origin, primary)) this.origin = primary;
  }

  /** Missing bytes up to `position` after a short wait; 0: searchable. Throws if the replica is lost. */
  lag(position: string): Promise<number> {
    return lagAfterWaiting(this.watcher, position, this.address.patienceMs);
  }

  /**
   * Shows everything before `position`. Throws `ReplicaFault` if connections are late or break, or the replica fails;
   * `work` may then still be running, and fails. Other failures are passed on.
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

  /** A name may lead to several replicas, some unwatched. Throws `ReplicaFault`. */
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

  /** No terminate message: a hanging server would not accept it. */
  close(): void {
    this.lost.abort(new ReplicaFault('the replica was lost', true));
    this.watcher.connection.stream.destroy();
    for (const { connection } of this.clients) connection.stream.destroy();
    this.pool.end().catch(() => undefined);
  }
}

async function originFault(client: ClientBase, primary: LogOrigin): Promise<string | undefined> {
  const { rows } = await client.query<LogOrigin>({ name: 'origin', text: ORIGIN });
  const [found] = rows;
  if (found?.identity !== primary.identity) return 'it holds another database than the primary';
  if (found.timeline === primary.timeline) return undefined;
  return `it follows timeline ${found.timeline}, and the primary writes timeline ${primary.timeline}`;
}

const isSameOrigin = (one: LogOrigin, other: LogOrigin): boolean =>
  one.identity === other.identity && one.timeline === other.timeline;
