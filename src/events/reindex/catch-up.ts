import { isSqlError } from '../../kernel/errors/sql-state.js';
import { sql } from '../../kernel/sql/sql.js';
import { eventBatches, type NextEvents } from './event-batches.js';
import type { NotedChanges } from './noted-changes.js';
import type { ReindexSession } from './reindex-session.js';
import type { RowWriter } from './row-writer.js';
import { NEXT_TABLES } from './shadow-tables.js';

/** Removes outdated rows from the new tables; the rest equals the live ones. */
export async function removeOutdated(session: ReindexSession): Promise<void> {
  await session.transaction(async () => {
    await takeNotes(session);
    await session.query(sql`insert into reindex_changed select seq from reindex_taken`);
  });
}

/**
 * Derives noted changes until `untilMs` (`performance.now()`), and notes the rest again. Requires a transaction with
 * one snapshot, in which the new tables then equal the live ones, except the rest.
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

/** Moves notes into a temporary table, and removes their rows. */
async function takeNotes(session: ReindexSession): Promise<void> {
  await session.query(sql`truncate reindex_taken`);
  await session.query(sql`
    with taken as (delete from reindex_changed returning seq)
    insert into reindex_taken select distinct seq from taken`);
  await session.query(sql`analyze reindex_taken`);
  await session.query(sql`delete from ${NEXT_TABLES.search} where seq in (select seq from reindex_taken)`);
  await session.query(sql`delete from ${NEXT_TABLES.documents} where seq in (select seq from reindex_taken)`);
  // Also removes deleted ones.
  await session.query(
    sql`delete from reindex_taken as taken where not exists (select from event where event.seq = taken.seq)`,
  );
}

const nextTaken: NextEvents = (after, most) =>
  sql`select seq from reindex_taken where seq > ${after}::bigint order by seq limit ${most}::int`;

export interface NearCatchUp {
  readonly session: ReindexSession;
  readonly changes: NotedChanges;
  readonly writer: RowWriter;
  /** Called before each round. */
  readonly onLeft: (changes: number) => void;
}

/** Derived while writers wait. */
const FEW_CHANGES = 200;
/** A long snapshot blocks vacuum. */
const ROUND_MS = 30_000;
/** A shorter round is overtaken less often. */
const SHORTEST_ROUND_MS = 1_000;

/** Deleting an event whose rows are being written rolls back the round. */
const isOvertaken = (error: unknown): boolean => isSqlError(error, 'serializationFailure', 'foreignKeyViolation');

/** Until few changes are left, or no fewer than before: faster writers must be locked out. */
export async function catchUpNearly({ session, changes, writer, onLeft }: NearCatchUp): Promise<void> {
  for (let before = Infinity, roundMs = ROUND_MS; ;) {
    const left = await changes.count();
    if (left <= FEW_CHANGES || left >= before) return;
    before = left;
    onLeft(left);
    try {
      await session.snapshot(() => catchUp(session, writer, performance.now() + roundMs));
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      if (roundMs > SHORTEST_ROUND_MS) before = Infinity;
      roundMs = Math.max(SHORTEST_ROUND_MS, roundMs / 4);
    }
  }
}
