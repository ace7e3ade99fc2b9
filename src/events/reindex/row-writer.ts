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
import type { EventRow } from './event-batches.js';
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

interface PreparedRows {
  readonly rows: Sql | undefined;
  readonly vocabulary: Sql | undefined;
  /** Cached once it is committed. */
  readonly vocabularies: readonly Vocabulary[];
}

/** Per turn: Postgres must not wait for its next statement. */
const EVENTS_PER_TURN = 8;

/** Writes rows as `writeChanges` does for the live tables. Caches written vocabulary. */
export class RowWriter {
  private readonly known = new KnownVocabulary();
  private terms: Terms | undefined;

  constructor(
    private readonly database: Database,
    private readonly configuration: EventConfiguration,
  ) {}

  /** Fails, naming the unreadable event. */
  async derive(events: readonly EventRow[]): Promise<PreparedRows> {
    const derived: NumberedRow[] = [];
    this.terms ??= await readTerms(this.database);
    const { configuration, terms, known } = this;
    for (const [at, event] of events.entries()) {
      derived.push({ seq: event.seq, row: await derivedRow(event, { configuration, terms, known }) });
      if (at % EVENTS_PER_TURN === 0) await setImmediate();
    }
    const vocabularies = derived.map(({ row }) => row.vocabulary);
    const rows = oneStatement(insertionsOf(NEXT_TABLES, derived));
    const vocabulary = oneStatement(vocabularyInsertions(vocabularies, await this.pathIdsOf(vocabularies)));
    return {
      rows: rows && sentInBinary(rows),
      vocabulary: vocabulary && sentInBinary(vocabulary),
      vocabularies,
    };
  }

  async write(transaction: Queryable, prepared: PreparedRows): Promise<void> {
    const { rows } = prepared;
    await Promise.all([rows && transaction.query(rows), this.writeVocabulary(prepared)]);
    for (const one of prepared.vocabularies) this.known.add(one);
  }

  /**
   * Vocabulary is only added, and committed at once, as unused words are harmless. A deadlock must not end hours of
   * work.
   */
  private async writeVocabulary({ vocabulary }: PreparedRows): Promise<void> {
    if (vocabulary === undefined) return;
    await retryingDeadlocks(() => this.database.transaction((transaction) => transaction.query(vocabulary)));
  }

  private async pathIdsOf(vocabularies: readonly Vocabulary[]): Promise<PathIds> {
    const pathIds = await pathIdsOf(this.database, vocabularies, this.known.pathIds);
    for (const [name, id] of pathIds) this.known.pathIds.set(name, id);
    return pathIds;
  }
}
