import type { Database } from '../../src/platform/database/pools/database.js';
import { readTerms } from '../../src/events/index/terms/terms.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import type { ProjectedEvent } from '../../src/events/records/project-event.js';
import { recordRow } from '../../src/events/records/record-row.js';
import { writeRecords } from '../../src/events/records/write-records.js';
import { WITHOUT_FORMS } from './without-forms.js';

/** Puts new records where a search looks for them; `notified` tells of each what the record itself does not show. */
export async function storeRecords(
  database: Database,
  records: readonly EventRecord[],
  notified?: ProjectedEvent['notified'],
): Promise<void> {
  const terms = await readTerms(database);
  const events = records.map((record) => ({
    id: record.id,
    incoming: { kind: 'record' as const, record },
    configuration: WITHOUT_FORMS,
    terms,
    row: recordRow({ record, notified }, terms),
  }));
  const outcomes = await database.transaction((transaction) => writeRecords(transaction, events));
  if (outcomes.some(({ kind }) => kind !== 'created')) throw new Error('not all of the records are new');
}
