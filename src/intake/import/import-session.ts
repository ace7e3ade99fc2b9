import type { Connections } from '../../database/pools/connections.js';
import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../sql/sql.js';

/**
 * What the transactions of one import have in common: none waits for the disk, but all do at the end. Each has a connection
 * for itself alone, so that an import that waits for its source holds none.
 */
export class ImportSession {
  private hasWritten = false;

  constructor(private readonly connections: Connections) {}

  /**
   * Commits when `work` is done and rolls back when it fails. The commit does not wait for the disk: `settle` does, for
   * all that were before.
   */
  transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T> {
    this.hasWritten = true;
    return this.connections.transaction(async (transaction) => {
      await transaction.query(sql`set local synchronous_commit to off`);
      return work(transaction);
    });
  }

  /**
   * Waits until every transaction is on the disk, and on the standbys that a commit waits for. A commit waits for what was
   * logged before it, when it has logged something itself: the message is read by nobody.
   */
  async settle(): Promise<void> {
    if (!this.hasWritten) return;
    await this.connections.query(sql`select pg_logical_emit_message(true, 'matricula', 'import')`);
  }

  /** After many new records: what plans are chosen by, and what spares searches a look at rows that all may see. */
  async vacuum(): Promise<void> {
    // Only the owner may; for others it waits for the next turn of Postgres itself.
    await this.connections.query(sql`vacuum (analyze) event_search`).catch(() => undefined);
  }

  /** Spares later searches what is still to be sorted into the index of terms. */
  async close(): Promise<void> {
    if (!this.hasWritten) return;
    // Only the owner of the index may do that; for others it waits for the next vacuum.
    await this.connections.query(sql`select gin_clean_pending_list('event_search_terms')`).catch(() => undefined);
  }
}
