import type { NoteFound } from '../../audit/audit-log.js';
import type { Connections } from '../../database/pools/connections.js';
import { idOfBody } from '../../records/record-body.js';
import type { Sql } from '../../sql/sql.js';
import type { SearchPlan } from '../plan/plan.js';
import { exportRecords } from './export-records.js';
import { runSearch } from './run-search.js';

interface NotedExport {
  readonly statement: Sql;
  /**
   * The same matches, to be counted: the audit row of an export is written before its first record is sent, when its
   * end is not known yet.
   */
  readonly counted: SearchPlan;
  readonly noteFound: NoteFound;
}

/** `exportRecords`, which first reports how many records match and which come first (S-16). */
export async function exportNoted(
  database: Connections,
  { statement, counted, noteFound }: NotedExport,
  take: (bodies: readonly string[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let total = 0;
  let isNoted = false;
  const note = (bodies: readonly string[]): void => {
    if (!isNoted) noteFound(total, bodies.map(idOfBody));
    isNoted = true;
  };
  await exportRecords(
    database,
    statement,
    async (bodies) => {
      note(bodies);
      await take(bodies);
    },
    signal,
    async (snapshot) => {
      total = (await runSearch(snapshot, counted)).total;
    },
  );
  note([]);
}
