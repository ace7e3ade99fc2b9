import { setImmediate } from 'node:timers/promises';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import { messageOf } from '../../kernel/errors/service-error.js';
import { oneStatement, sentInBinary, type Sql } from '../../kernel/sql/sql.js';
import { type Queryable, retryingDeadlocks } from '../../platform/database/connection/queryable.js';
import type { Database } from '../../platform/database/pools/database.js';
import { KnownVocabulary } from '../index/terms/known-vocabulary.js';
import { readTerms, type Terms } from '../index/terms/terms.js';
import type { Vocabulary } from '../index/terms/vocabulary.js';
import { type PathIds, pathIdsOf, vocabularyInsertions } from '../index/terms/write-vocabulary.js';
import type { Derivation } from '../records/event-change.js';
import { type RecordRow, recordRow } from '../records/record-row.js';
import { insertionsOf, type NumberedRow } from '../records/write-changes.js';
import { storedHistory, storedProjection } from '../records/stored-events.js';
import type { EventRow } from './noted-changes.js';
import { NEXT_TABLES } from './shadow-tables.js';

/** Without `known` vocabulary. Throws, naming the event, if its stored data cannot be read. */
export async function derivedRow(event: EventRow, { configuration, terms, known }: Derivation): Promise<RecordRow> {
  try {
    const history = await storedHistory(event, event.body);
    return recordRow(storedProjection({ ...event, ...history }, configuration), terms, known);
  } catch (error) {
    throw new Error(`event ${event.id}: ${messageOf(error)}`, { cause: error });
  }
}

export interface PreparedRows {
  readonly rows: Sql | undefined;
  /** The possibly new one. */
  readonly vocabulary: Sql | undefined;
  /** Called once the vocabulary is committed, which is then cached. */
  readonly written: () => void;
}

/** Derives batches of events, in order. */
export interface RowSource {
  /** May be called concurrently. Fails, naming the unreadable event. */
  of(events: readonly EventRow[]): Promise<PreparedRows>;
}

/** Per turn: Postgres must not wait for its next statement. */
const EVENTS_PER_TURN = 8;

/** Caches written vocabulary. */
export class RowMaker implements RowSource {
  private readonly known = new KnownVocabulary();
  private terms: Terms | undefined;

  /** `database`: for path ids, created if missing. */
  constructor(
    private readonly database: Queryable,
    private readonly configuration: EventConfiguration,
  ) {}

  async of(events: readonly EventRow[]): Promise<PreparedRows> {
    const derived: NumberedRow[] = [];
    this.terms ??= await readTerms(this.database);
    const { configuration, terms, known } = this;
    for (const [at, event] of events.entries()) {
      derived.push({ seq: event.seq, row: await derivedRow(event, { configuration, terms, known }) });
      if (at % EVENTS_PER_TURN === 0) await setImmediate();
    }
    // Bounds memory until the write.
    const vocabularies = derived.map(({ row }) => row.vocabulary);
    const rows = oneStatement(insertionsOf(NEXT_TABLES, derived));
    const vocabulary = oneStatement(vocabularyInsertions(vocabularies, await this.pathIdsOf(vocabularies)));
    return {
      rows: rows && sentInBinary(rows),
      vocabulary: vocabulary && sentInBinary(vocabulary),
      written: () => {
        for (const one of vocabularies) this.known.add(one);
      },
    };
  }

  private async pathIdsOf(vocabularies: readonly Vocabulary[]): Promise<PathIds> {
    const pathIds = await pathIdsOf(this.database, vocabularies, this.known.pathIds);
    for (const [name, id] of pathIds) this.known.pathIds.set(name, id);
    return pathIds;
  }
}

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
