import type { Database } from '../../platform/database/pools/database.js';
import { sql } from '../../kernel/sql/sql.js';
import { eventBatches, everyEvent } from './event-batches.js';
import type { ReindexSession } from './reindex-session.js';
import type { PreparedRows } from './row-maker.js';
import type { RowWriter } from './row-writer.js';

/** Batches in progress, which bounds memory. */
const UNDER_WAY = 2;

interface Derived {
  readonly rows: Promise<PreparedRows>;
  readonly events: number;
}

/**
 * In constant memory; reading and writing are pipelined. Resolves with the number of events; `onProgress` is called
 * after each batch.
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
  let done = 0;
  onProgress(done, Math.max(done, total));
  let writing: Promise<void> = Promise.resolve();
  const underWay: Derived[] = [];
  const writeNext = async (): Promise<void> => {
    const next = underWay.shift();
    if (next === undefined) return;
    const rows = await next.rows;
    await writing;
    writing = session
      .transaction(() => writer.write(session, rows))
      .then(() => {
        done += next.events;
        onProgress(done, Math.max(done, total));
      });
    // The next waiter gets the failure.
    writing.catch(() => undefined);
  };
  try {
    for await (const events of eventBatches(database, everyEvent(last))) {
      const rows = writer.derive(events);
      rows.catch(() => undefined);
      underWay.push({ rows, events: events.length });
      if (underWay.length > UNDER_WAY) await writeNext();
    }
    while (underWay.length > 0) await writeNext();
    await writing;
    return done;
  } finally {
    await writing.catch(() => undefined);
  }
}
