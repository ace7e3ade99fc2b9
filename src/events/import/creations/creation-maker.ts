import { atOnce } from '../../../platform/queue/time-slice.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { KnownVocabulary } from '../../index/terms/known-vocabulary.js';
import { termStatement } from '../../index/terms/write-terms.js';
import type { EventConfiguration } from '../../../kernel/domain/event-configuration/event-configuration.js';
import { filePathsOfActions } from '../../files/file-paths.js';
import { creationOf } from '../../records/event-change.js';
import type { PreparedEvent } from '../../records/prepare-event.js';
import { creationStatement } from '../../records/store/write-changes.js';
import { inBinary } from '../../../kernel/sql/binary-params.js';
import { sql } from '../../../kernel/sql/sql.js';
import { preparedLine } from '../import-entry.js';
import type { Creation, RejectedAt, SentLine } from './creation.js';

/** Makes creations one at a time, with what it remembers of those that were written. */
export class CreationMaker {
  private readonly known = new KnownVocabulary();

  /** `database`: for `seq`s of events and ids of paths. */
  constructor(
    private readonly database: Queryable,
    private readonly configuration: EventConfiguration,
  ) {}

  /** Resolves with the creation, and what to call when it is committed. */
  async make(lines: readonly SentLine[]): Promise<{ readonly creation: Creation; readonly written: () => void }> {
    const rejected: RejectedAt[] = [];
    const byId = new Map<string, PreparedEvent>();
    let isRepeated = false;
    for (const [at, line] of lines.entries()) {
      const read = atOnce(preparedLine(line, this.configuration, this.known));
      if (read.kind === 'rejected') {
        rejected.push({ at, id: read.id, issues: read.issues });
        continue;
      }
      const { event } = read;
      isRepeated ||= byId.has(event.id);
      byId.set(event.id, event);
    }
    const events = [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const ids = events.map(({ id }) => id);
    const none = { ids, rejected, statement: undefined, terms: undefined, files: [] };
    if (isRepeated || events.length === 0) return { creation: none, written: () => undefined };
    // Nothing else of the events is kept until they are written, some batches later.
    const vocabularies = events.map(({ row }) => row.vocabulary);
    return {
      creation: { ...none, ...(await this.content(events)) },
      written: () => {
        for (const vocabulary of vocabularies) this.known.add(vocabulary);
      },
    };
  }

  private async content(events: readonly PreparedEvent[]): Promise<Omit<Creation, 'ids' | 'rejected'>> {
    const seqs = await this.database.query<{ readonly seq: string }>(
      sql`select nextval(pg_get_serial_sequence('event', 'seq')) as seq from generate_series(1, ${events.length}::int)`,
    );
    const changes = events.flatMap((event, at) => {
      const [change, seq] = [creationOf(event), seqs[at]?.seq];
      return seq === undefined ? [] : [{ ...change, seq }];
    });
    const statement = await creationStatement(this.database, changes, this.known.pathIds);
    return {
      statement: statement && inBinary(statement.toQuery()),
      terms: termStatement(events.flatMap(({ row }) => row.vocabulary.terms)),
      files: events.flatMap(({ id, incoming, row }) => {
        const actions = incoming.kind === 'document' ? incoming.document.actions : [];
        const paths = filePathsOfActions(actions, row.record.declaration);
        return paths.length === 0 ? [] : [{ eventId: id, paths }];
      }),
    };
  }
}
