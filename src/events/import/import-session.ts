import type { Connections } from '../../platform/database/pools/connections.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { INCARNATION } from '../../platform/database/connection/server-look.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';

/** Fewer records affect no plan. */
const LEAST_VACUUMED = 1_000;
/** Nor does a smaller share of those that there are, and the statistics of a large table take long. */
const SHARE_VACUUMED = 0.01;

/**
 * State of the transactions of one import: none waits for the disk, but all do at the end. Each uses a connection only
 * while it runs, so that an import that waits for its source holds none.
 */
export class ImportSession {
  private server: string | undefined;

  constructor(private readonly connections: Connections) {}

  /**
   * Commits when `work` succeeds and rolls back when it fails. The commit does not wait for the disk: `settle` does,
   * for all earlier ones. Throws 503 if the server may have lost them.
   */
  transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T> {
    return this.connections.transaction(async (transaction) => {
      await this.onSameServer(transaction, sql`set_config('synchronous_commit', 'off', true)`);
      return work(transaction);
    });
  }

  /**
   * Waits until every transaction is on the disk, and on the standbys that a commit waits for. A commit waits for
   * everything logged before it if it has logged something itself: nobody reads the message. Throws as `transaction`.
   */
  async settle(): Promise<void> {
    if (this.server === undefined) return;
    await this.onSameServer(this.connections, sql`pg_logical_emit_message(true, 'matricula', 'import')`);
  }

  /**
   * Updates statistics and the visibility map after so many records, where they affect plans. It skips a table that
   * another session vacuums: waiting may take hours, and holds a connection of all imports.
   */
  async vacuumAfter(written: number): Promise<void> {
    if (written < LEAST_VACUUMED) return;
    const [row] = await this.connections.query<{ readonly isSmall: boolean }>(sql`
      select reltuples * ${SHARE_VACUUMED}::float8 <= ${written}::float8 as "isSmall"
        from pg_class where oid = 'event_search'::regclass`);
    if (row?.isSmall !== true) return;
    // Only the owner may; for others it waits for autovacuum.
    await this.connections.query(sql`vacuum (analyze, skip_locked) event, event_search`).catch(() => undefined);
  }

  /** Spares later searches the pending list of the term index. */
  async close(): Promise<void> {
    if (this.server === undefined) return;
    // Only the owner of the index may do that; for others it waits for the next vacuum.
    await this.connections.query(sql`select gin_clean_pending_list('event_search_terms')`).catch(() => undefined);
  }

  /**
   * Evaluates `expression`. Commits that did not wait for the disk are lost in a crash, of which an import that uses no
   * connection just then would not hear.
   */
  private async onSameServer(connection: Queryable, expression: Sql): Promise<void> {
    const [row] = await connection.query<{ readonly server: string }>(
      sql`select ${expression}, ${INCARNATION} as server`,
    );
    this.server ??= row?.server;
    if (row?.server !== this.server) {
      throw new ServiceError(
        'SERVICE_UNAVAILABLE',
        'The database server was restarted or replaced during the import, and may have lost what was written before; ' +
          'import the same again',
      );
    }
  }
}
