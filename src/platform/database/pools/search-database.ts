import type { Sql } from '../../../kernel/sql/sql.js';
import type { Primary } from '../connection/primary.js';
import type { Connections, Transaction } from './connections.js';
import type { Queryable } from '../connection/queryable.js';
import { PrimaryPosition, type Reading, ReplicaFault } from './replica-link.js';
import { Replica } from './replica.js';

interface SearchDatabaseOptions {
  readonly primary: Connections;
  readonly server: Primary;
  readonly replicaUrls: readonly string[];
  readonly poolSize: number;
  readonly onReplicaChange: (line: string) => void;
  readonly patienceMs?: number;
}

/** More than a healthy replica needs, and little beside a search. */
const PATIENCE_MS = 50;

/**
 * Searches on a replica that has caught up, or else the primary. Reads include everything committed before the call
 * (S-14): `docs/architecture.md`, Several processes.
 */
export class SearchDatabase implements Queryable {
  servedByPrimary = 0;
  readonly replicas: readonly Replica[] = [];
  private readonly primary: Connections;
  private readonly position: PrimaryPosition | undefined;
  private turn = 0;

  constructor({ primary, replicaUrls, patienceMs = PATIENCE_MS, ...options }: SearchDatabaseOptions) {
    this.primary = primary;
    if (replicaUrls.length === 0) return;
    const position = new PrimaryPosition(options.server);
    const { poolSize, onReplicaChange: onChange, server } = options;
    this.position = position;
    this.replicas = replicaUrls.map((url) => new Replica({ url, poolSize, patienceMs, primary: position, onChange }));
    // A replica may have replayed a part of another primary's log.
    server.onNewServer(() => {
      for (const replica of this.replicas) replica.drop();
    });
  }

  /** The primary serves until a replica is usable. */
  onApplicationBootstrap(): void {
    for (const replica of this.replicas) replica.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.stop()));
    await this.position?.close();
  }

  /** Read-only. An abort cancels the statement, which fails with the reason. */
  query<Row>(statement: Sql, signal?: AbortSignal): Promise<Row[]> {
    return this.read({ work: (reader) => reader.query<Row>(statement, signal), signal });
  }

  /**
   * One read-only snapshot (S-5). If a replica fails, `work` runs again on the primary; it must pass nothing on before
   * its end.
   */
  snapshot<T>(work: (transaction: Transaction) => Promise<T>, signal?: AbortSignal, lock?: Sql): Promise<T> {
    return this.read({ work: (reader) => reader.snapshot(work, signal, lock), signal });
  }

  private async read<T>(reading: Reading<T>): Promise<T> {
    const replica = this.next();
    if (replica !== undefined && this.position !== undefined) {
      try {
        return await replica.read(await this.position.current(), reading);
      } catch (error) {
        if (!(error instanceof ReplicaFault)) throw error;
      }
    }
    this.servedByPrimary += 1;
    return reading.work(this.primary);
  }

  /** The least busy replica that is up; round-robin among equals. */
  private next(): Replica | undefined {
    const up = this.replicas.filter(({ state }) => state === 'up');
    if (up.length === 0) return undefined;
    this.turn += 1;
    const least = Math.min(...up.map(({ busy }) => busy));
    const idle = up.filter(({ busy }) => busy === least);
    return idle[this.turn % idle.length];
  }
}
