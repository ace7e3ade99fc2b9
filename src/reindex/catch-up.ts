import { sql } from '../sql/sql.js';
import type { NextEvents } from './event-batches.js';
import { eventBatches } from './event-batches.js';
import type { ReindexSession } from './reindex-session.js';
import type { RowWriter } from './rows/row-writer.js';
import { NEXT_TABLES } from './shadow-tables.js';

/**
 * Removes from the new tables what has changed since it was derived. The rest equals the live tables at this moment, so
 * it is as unique as they are.
 */
export async function removeOutdated(session: ReindexSession): Promise<void> {
  await session.transaction(async () => {
    await takeNotes(session);
    await session.query(sql`insert into reindex_changed select seq from reindex_taken`);
  });
}

/**
 * Derives again what has changed according to the notes, until `untilMs` (`performance.now()`); the rest is noted
 * again. To be called in a transaction with one snapshot of the database: the new tables then equal the live ones in
 * that snapshot, except for the rest, which is in none of them.
 */
export async function catchUp(session: ReindexSession, writer: RowWriter, untilMs: number): Promise<void> {
  await takeNotes(session);
  for await (const events of eventBatches(session, nextTaken)) {
    await writer.write(session, await writer.derive(events));
    if (performance.now() < untilMs) continue;
    const last = events.at(-1)?.seq ?? '0';
    await session.query(sql`insert into reindex_changed select seq from reindex_taken where seq > ${last}::bigint`);
    return;
  }
}

/** Moves all notes into a table that nobody else sees, and removes the rows they refer to from the new tables. */
async function takeNotes(session: ReindexSession): Promise<void> {
  await session.query(sql`truncate reindex_taken`);
  await session.query(sql`
    with taken as (delete from reindex_changed returning seq)
    insert into reindex_taken select distinct seq from taken`);
  await session.query(sql`analyze reindex_taken`);
  await session.query(sql`delete from ${NEXT_TABLES.search} where seq in (select seq from reindex_taken)`);
  await session.query(sql`delete from ${NEXT_TABLES.documents} where seq in (select seq from reindex_taken)`);
  // This also removes deleted ones.
  await session.query(
    sql`delete from reindex_taken as taken where not exists (select from event where event.seq = taken.seq)`,
  );
}

const nextTaken: NextEvents = (after, most) =>
  sql`select seq from reindex_taken where seq > ${after}::bigint order by seq limit ${most}::int`;
