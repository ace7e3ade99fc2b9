import type { Connections } from '../../database/pools/connections.js';
import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../sql/sql.js';

/**
 * What the transactions of one import share: none waits for the disk, but all do at the end. Each uses a connection
 * only while it runs, so that an import that waits for its source holds none.
 */
export class ImportSession {
  private hasWritten = false;

  constructor(private readonly connections: Connections) {}

  /**
   * Commits when `work` succeeds and rolls back when it fails. The commit does not wait for the disk: `settle` does,
   * for all earlier ones.
   */
  transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T> {
    this.hasWritten = true;
    return this.connections.transaction(async (transaction) => {
      await transaction.query(sql`set local synchronous_commit to off`);
      return work(transaction);
    });
  }

  /**
   * Waits until every transaction is on the disk, and on the standbys that a commit waits for. A commit waits for
   * everything logged before it if it has logged something itself: nobody reads the message.
   */
  async settle(): Promise<void> {
    if (!this.hasWritten) return;
    await this.connections.query(sql`select pg_logical_emit_message(true, 'matricula', 'import')`);
  }

  /**
   * After many new records: updates the statistics for plans, and spares searches a look at rows that are visible to
   * all.
   */
  async vacuum(): Promise<void> {
    // Only the owner may; for others it waits for autovacuum.
    await this.connections.query(sql`vacuum (analyze) event_search`).catch(() => undefined);
  }

  /** Spares later searches the pending list of the term index. */
  async close(): Promise<void> {
    if (!this.hasWritten) return;
    // Only the owner of the index may do that; for others it waits for the next vacuum.
    await this.connections.query(sql`select gin_clean_pending_list('event_search_terms')`).catch(() => undefined);
  }
}
