import type { Database } from '../../platform/database/pools/database.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { retryingDeadlocks } from '../../platform/database/connection/retrying-deadlocks.js';
import { writePreparedTerms } from '../index/terms/write-terms.js';
import type { EventRow } from './event-batches.js';
import type { PreparedRows, RowSource } from './row-maker.js';

/** Derives events into the new tables, as `writeChanges` does into the live ones. */
export class RowWriter {
  constructor(
    private readonly database: Database,
    private readonly source: RowSource,
  ) {}

  /** The part before the write. Concurrent calls are allowed. */
  derive(events: readonly EventRow[]): Promise<PreparedRows> {
    return this.source.of(events);
  }

  async write(transaction: Queryable, prepared: PreparedRows): Promise<void> {
    const { rows } = prepared;
    await Promise.all([rows && transaction.query(rows), this.writeVocabulary(prepared)]);
    prepared.written();
  }

  /**
   * Vocabulary in use is only added to, and committed at once: unused words are harmless. A deadlock with another
   * writer must not end hours of work.
   */
  private async writeVocabulary({ vocabulary, terms }: PreparedRows): Promise<void> {
    if (vocabulary === undefined && terms === undefined) return;
    await retryingDeadlocks(() =>
      this.database.transaction(async (transaction) => {
        if (vocabulary !== undefined) await transaction.query(vocabulary);
        await writePreparedTerms(transaction, terms);
      }),
    );
  }
}
