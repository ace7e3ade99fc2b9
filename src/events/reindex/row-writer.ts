import { setImmediate } from 'node:timers/promises';

import type { Database } from '../../database/database.js';
import type { Queryable } from '../../database/queryable.js';
import type { NumberedRow } from '../records/insert-rows.js';
import { insertRows } from '../records/insert-rows.js';
import { KnownWords } from '../search/fuzzy/known-words.js';
import type { WordsAtPath } from '../search/fuzzy/words-of-facts.js';
import { writeWords } from '../search/fuzzy/write-words.js';
import { derivedRow } from './derived-row.js';
import type { EventRow } from './event-batches.js';
import { NEXT_TABLES } from './shadow-tables.js';

/** How many events are derived before the connections get their turn: Postgres must not wait for its next statement. */
const EVENTS_PER_TURN = 8;

/** Derives the rows of events and writes them into the tables that are to take over, as `writeChanges` does into theirs. */
export class RowWriter {
  private readonly known = new KnownWords();

  constructor(private readonly database: Database) {}

  /** Whatever can be made without the database. */
  async derive(events: readonly EventRow[]): Promise<readonly NumberedRow[]> {
    const rows: NumberedRow[] = [];
    for (const [at, event] of events.entries()) {
      rows.push({ seq: event.seq, row: derivedRow(event) });
      if (at % EVENTS_PER_TURN === 0) await setImmediate();
    }
    return rows;
  }

  async write(transaction: Queryable, rows: readonly NumberedRow[]): Promise<void> {
    await Promise.all([insertRows(transaction, NEXT_TABLES, rows), this.writeWords(rows)]);
  }

  /** What running processes follow is only added to, and at once: words that no record has do no harm. */
  private async writeWords(rows: readonly NumberedRow[]): Promise<void> {
    const words = rows.flatMap(({ row }) => row.words.flatMap((at) => this.unknown(at)));
    if (words.length > 0) await this.database.transaction((transaction) => writeWords(transaction, words));
    for (const { row } of rows) this.known.add(row.words);
  }

  private unknown(at: WordsAtPath): readonly WordsAtPath[] {
    const missing = this.known.missing(at);
    return missing.length === 0 ? [] : [{ ...at, words: new Set(missing) }];
  }
}
