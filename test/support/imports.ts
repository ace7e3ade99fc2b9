import type { Database } from '../../src/platform/database/pools/database.js';
import { answerIn } from '../../src/events/index/values/document.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import type { ImportOptions, ImportResult, RejectedLine } from '../../src/events/import/import-options.js';
import { importRecords } from '../../src/events/import/import-records.js';
import { recordBody } from '../../src/events/records/record-row.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from './builders/a-record.js';
import { ndjson } from './ndjson.js';
import { WITHOUT_FORMS } from './without-forms.js';

/** So many records, each of an event of its own. */
export const someRecords = (count: number): readonly EventRecord[] => Array.from({ length: count }, () => aRecord());

/** What `bodies` yields when these records are stored and no others. */
export const inOrder = (records: readonly EventRecord[]): readonly string[] =>
  records.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(recordBody);

/** Every stored record, as an answer carries it, in the order of the ids. */
export const bodiesIn = async (database: Database): Promise<readonly string[]> =>
  (
    await database.query<{ body: string }>(
      sql`select ${answerIn(sql`body`)} as body from event join event_document using (seq) order by id`,
    )
  ).map((row) => row.body);

/** The result of an import, and everything that it told on the way. */
export async function runImport(
  database: Database,
  lines: readonly unknown[],
  options: ImportOptions = {},
): Promise<{ readonly result: ImportResult; readonly rejected: readonly RejectedLine[] }> {
  const rejected: RejectedLine[] = [];
  const result = await importRecords(database, WITHOUT_FORMS, ndjson(lines), {
    ...options,
    onRejected: (line) => {
      rejected.push(line);
    },
  });
  return { result, rejected };
}
