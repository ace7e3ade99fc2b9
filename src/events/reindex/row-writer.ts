import type { Database } from '../../platform/database/pools/database.js';
import { type Queryable, retryingDeadlocks } from '../../platform/database/connection/queryable.js';
import type { EventRow } from './event-batches.js';
import type { PreparedRows, RowSource } from './row-maker.js';

/** As `writeChanges` does for the live tables. */
export class RowWriter {
  constructor(
    private readonly database: Database,
    private readonly source: RowSource,
  ) {}

  /** May be called concurrently. */
  derive(events: readonly EventRow[]): Promise<PreparedRows> {
    return this.source.of(events);
  }

  async write(transaction: Queryable, prepared: PreparedRows): Promise<void> {
    const { rows } = prepared;
    await Promise.all([rows && transaction.query(rows), this.writeVocabulary(prepared)]);
    prepared.written();
  }

  /**
   * Vocabulary is only added, and committed at once, as unused words are harmless. A deadlock must not end hours of
   * work.
   */
  private async writeVocabulary({ vocabulary }: PreparedRows): Promise<void> {
    if (vocabulary === undefined) return;
    await retryingDeadlocks(() => this.database.transaction((transaction) => transaction.query(vocabulary)));
  }
}
