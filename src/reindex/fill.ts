import type { Database } from '../database/pools/database.js';
import { sql } from '../sql/sql.js';
import { eventBatches, everyEvent } from './event-batches.js';
import type { ReindexSession } from './reindex-session.js';
import type { RowWriter } from './row-writer.js';

/**
 * Derives all events and writes them into the new tables, in constant memory. The next batch is read and derived while
 * Postgres writes the one before. Resolves with their number; `onProgress` is called meanwhile.
 */
export async function fill(
  database: Database,
  session: ReindexSession,
  writer: RowWriter,
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  // Later events are noted as changes.
  const [extent] = await database.query<{ last: string; total: number }>(
    sql`select coalesce(max(seq), 0) as last, count(*)::int as total from event where not is_draft`,
  );
  const { last, total } = extent ?? { last: '0', total: 0 };
  onProgress(0, total);
  let done = 0;
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const events of eventBatches(database, everyEvent(last))) {
      const rows = await writer.derive(events);
      await writing;
      writing = session
        .transaction(() => writer.write(session, rows))
        .then(() => {
          done += rows.length;
          onProgress(done, Math.max(done, total));
        });
      // A failure must reach whoever waits next, rather than be unhandled.
      writing.catch(() => undefined);
    }
    await writing;
    return done;
  } finally {
    await writing.catch(() => undefined);
  }
}
