import type { Database } from '../../src/platform/database/pools/database.js';
import { answerIn } from '../../src/events/index/values/document.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { parseEventRecord } from '../../src/events/records/parse-event-record.js';
import type { IncomingEvent } from '../../src/events/records/event-change.js';
import { type WriteOutcome, writeRecords } from '../../src/events/records/write-records.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { anEventDocument } from './builders/an-event-document.js';
import { anInstant } from './builders/an-instant.js';
import { prepareEvent } from './prepare-event.js';
import { WITHOUT_FORMS } from './without-forms.js';

/** An imported record as the write path takes it. */
export const asRecord = (record: EventRecord): IncomingEvent => ({ kind: 'record', record });

/** An event with its actions as the write path takes it. */
export const asDocument = (overrides: Parameters<typeof anEventDocument>[0] = {}) => ({
  kind: 'document' as const,
  document: anEventDocument(overrides),
});

/** What became of each event, in their order. */
export const kinds = (outcomes: readonly WriteOutcome[]): readonly string[] => outcomes.map((outcome) => outcome.kind);

/** The nth minute of an hour. */
export const minute = (n: number) => anInstant(`2026-02-01T10:${String(n).padStart(2, '0')}:00Z`);

/** Writes events into a database, and reads what is stored there. */
export const writing = (into: () => Database) => ({
  write: (...events: readonly IncomingEvent[]): Promise<readonly WriteOutcome[]> =>
    into().transaction((transaction) =>
      writeRecords(
        transaction,
        events.map((event) => prepareEvent(event, WITHOUT_FORMS)),
      ),
    ),

  /** The stored record; undefined when there is no such event. */
  stored: async (id: string): Promise<EventRecord | undefined> => {
    const [row] = await into().query<{ body: string }>(
      sql`select ${answerIn(sql`body`)} as body from event_document join event using (seq) where id = ${id}`,
    );
    const parsed = row && parseEventRecord(JSON.parse(row.body));
    return parsed?.kind === 'parsed' ? parsed.value : undefined;
  },

  actionIds: async (id: string): Promise<readonly string[]> =>
    (
      await into().query<{ id: string }>(
        sql`select json_array_elements(actions::json) ->> 'id' as id
              from event_history join event on seq = event_seq where event.id = ${id} order by position`,
      )
    ).map((row) => row.id),

  /** Which versions of an event's rows there are: they change with every write. */
  versions: (id: string) =>
    into().query<object>(
      sql`select event.xmin::text as event, event_search.xmin::text as search, event_document.xmin::text as document
            from event join event_search using (seq) join event_document using (seq) where event.id = ${id}`,
    ),
});
