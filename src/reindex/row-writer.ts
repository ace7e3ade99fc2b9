import { setImmediate } from 'node:timers/promises';

import type { Database } from '../database/pools/database.js';
import type { Queryable } from '../database/queryable.js';
import { KnownVocabulary } from '../derived/words/known-vocabulary.js';
import { writeVocabulary } from '../derived/words/write-vocabulary.js';
import type { EventConfiguration } from '../domain/event-configuration/event-configuration.js';
import type { NumberedRow } from '../records/store/insert-rows.js';
import { insertRows } from '../records/store/insert-rows.js';
import { derivedRow } from './derived-row.js';
import type { EventRow } from './event-batches.js';
import { NEXT_TABLES } from './shadow-tables.js';

/** How many events are derived before the connections get their turn: Postgres must not wait for its next statement. */
const EVENTS_PER_TURN = 8;

/** Derives the rows of events and writes them into the new tables, as `writeChanges` does into the live ones. */
export class RowWriter {
  private readonly known = new KnownVocabulary();

  constructor(
    private readonly database: Database,
    private readonly configuration: EventConfiguration,
  ) {}

  /** Everything that can be computed without the database. */
  async derive(events: readonly EventRow[]): Promise<readonly NumberedRow[]> {
    const rows: NumberedRow[] = [];
    for (const [at, event] of events.entries()) {
      rows.push({ seq: event.seq, row: derivedRow(event, this.configuration) });
      if (at % EVENTS_PER_TURN === 0) await setImmediate();
    }
    return rows;
  }

  async write(transaction: Queryable, rows: readonly NumberedRow[]): Promise<void> {
    await Promise.all([insertRows(transaction, NEXT_TABLES, rows), this.writeVocabulary(rows)]);
  }

  /**
   * Vocabulary that running processes follow is only ever added to, and at once: words that no record has do no harm.
   */
  private async writeVocabulary(rows: readonly NumberedRow[]): Promise<void> {
    const missing = rows.map(({ seq, row }) => ({
      seq,
      isNew: false,
      vocabulary: this.known.missing(row.vocabulary),
    }));
    const some = missing.filter(({ vocabulary: { paths, terms } }) => paths.length > 0 || terms.length > 0);
    if (some.length > 0) await this.database.transaction((transaction) => writeVocabulary(transaction, some));
    for (const { row } of rows) this.known.add(row.vocabulary);
  }
}
