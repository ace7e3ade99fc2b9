import { setTimeout as sleep } from 'node:timers/promises';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { isSqlError } from '../../kernel/errors/sql-state.js';
import { sql } from '../../kernel/sql/sql.js';
import { ADVISORY_LOCKS, BITMAPS_LOCK, takeLock } from '../../platform/database/connection/advisory-locks.js';
import { derivedState } from '../../platform/database/connection/derived-version.js';
import type { Database } from '../../platform/database/pools/database.js';
import {
  eventBatches,
  everyEvent,
  FORGET_CHANGES,
  type NextEvents,
  NotedChanges,
  REMOVE_TRIGGERS,
} from './noted-changes.js';
import { RecordedRun, type ReindexProgress } from './reindex-runs.js';
import { atFirst, isLockRefused, limitLockWaits, ReindexSession, withShortWaits } from './reindex-session.js';
import { type PreparedRows, RowMaker, type RowSource, RowWriter } from './row-maker.js';
import { DROP_SHADOW_TABLES, NEXT_TABLES, ShadowTables, SWAPPED_TABLES } from './shadow-tables.js';

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

/** For writers, at most. */
const WRITERS_WAIT_MS = 2_000;
const CATCH_UP_MS = 3_000;
/** For searches; doubled with each attempt. */
const SEARCHES_WAIT_MS = 100;
const SEARCHES_WAIT_MOST_MS = 1_000;
const PAUSE_MS = 500;

interface Swap extends NearCatchUp {
  readonly tables: ShadowTables;
}

/**
 * In one transaction: a search sees all old or all new tables. Writers are blocked during the last changes, searches
 * during the renaming. Tries until it succeeds, with short waits; `onRefused` gets the number of failed attempts.
 */
async function swap(parts: Swap, onRefused: (attempts: number) => void): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      if ((await parts.session.transaction(() => attemptSwap(parts, attempt))) === 'swapped') return;
      await catchUpNearly(parts);
      continue;
    } catch (error) {
      if (!isLockRefused(error)) throw error;
    }
    onRefused(attempt + 1);
    await sleep(PAUSE_MS);
    await catchUpNearly(parts);
  }
}

async function attemptSwap({ session, tables, changes, writer }: Swap, attempt: number): Promise<'swapped' | 'behind'> {
  await limitLockWaits(session, WRITERS_WAIT_MS);
  // Before any table lock, as bitmaps may take seconds.
  await session.query(sql`select pg_advisory_xact_lock(${BITMAPS_LOCK})`);
  // Makes autovacuum yield, and blocks nobody.
  await session.query(sql`lock table ${SWAPPED_TABLES} in share update exclusive mode`);
  // Writers that lock events first are not blocked.
  await session.query(sql`lock table ${SWAPPED_TABLES} in exclusive mode`);
  await catchUp(session, writer, performance.now() + CATCH_UP_MS);
  // Progress is kept for the next attempt.
  if ((await changes.count()) > 0) return 'behind';
  if (!(await tables.areStillAlike())) {
    throw new ServiceError('CONFLICT', 'The schema was changed during the reindex: run it again.');
  }
  await limitLockWaits(session, Math.min(SEARCHES_WAIT_MS * 2 ** attempt, SEARCHES_WAIT_MOST_MS));
  await session.query(sql`lock table ${SWAPPED_TABLES} in access exclusive mode`);
  await tables.takeOver();
  return 'swapped';
}

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
async function fill(
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

const CLEAN_UP_ATTEMPTS = 5;

export interface ReindexOptions {
  /** The id of a run registered before its start (I-5). */
  readonly runId?: string | undefined;
  /** The source of rows. */
  readonly rows?: RowSource;
}

/**
 * Derives everything again into new tables, which then replace the live ones, while searches and writes continue. An
 * interrupted run has no visible effect. Resolves with the number of events. Fails during another reindex.
 */
export async function reindex(
  database: Database,
  configuration: EventConfiguration,
  onProgress: (progress: ReindexProgress) => void = () => undefined,
  { runId, rows = new RowMaker(database, configuration) }: ReindexOptions = {},
): Promise<number> {
  const session = await ReindexSession.open(database);
  const run = new RecordedRun(database, runId);
  const writer = new RowWriter(database, rows);
  try {
    await lockOutOthers(session);
    const state = await derivedState(session);
    if (state === 'superseded') onProgress({ step: 'begin', note: GOING_BACK });
    try {
      await run.begin();
      const events = await rebuild({ database, session, writer }, (progress) => {
        run.progress(progress);
        onProgress(progress);
      });
      await run.complete(events);
      return events;
    } catch (error) {
      await cleanUp(session).catch(() => undefined);
      await run.fail(error).catch(() => undefined);
      throw error;
    }
  } finally {
    await session.close();
  }
}

/** A failure leaves disk space to the next run. */
const cleanUp = (session: ReindexSession): Promise<void> =>
  withShortWaits(session, () => session.execute([...REMOVE_TRIGGERS, ...DROP_SHADOW_TABLES, ...FORGET_CHANGES]), {
    mostAttempts: CLEAN_UP_ATTEMPTS,
  });

async function lockOutOthers(session: ReindexSession): Promise<void> {
  const tryLock = async (): Promise<boolean> => {
    const [row] = await session.query<{ locked: boolean }>(
      sql`select pg_try_advisory_lock(${ADVISORY_LOCKS.reindex}::bigint) as locked`,
    );
    return row?.locked === true;
  };
  if (!(await takeLock(tryLock))) throw new ServiceError('CONFLICT', 'Another reindex is running.');
}

/** Perhaps the previous release's program was run. */
const GOING_BACK =
  'A later release has derived what searches read. At its end this reindex goes back to what this release derives: ' +
  'the processes of the later one answer with 503 from then on. Until then it may be ended with Ctrl-C, and changes nothing.';

interface Rebuild {
  readonly database: Database;
  readonly session: ReindexSession;
  readonly writer: RowWriter;
}

async function rebuild(
  { database, session, writer }: Rebuild,
  onProgress: (progress: ReindexProgress) => void,
): Promise<number> {
  const noteBeginning = (note: string): void => {
    onProgress({ step: 'begin', note });
  };
  const changes = new NotedChanges(session);
  await changes.begin(
    atFirst((attempts) => {
      noteBeginning(`Waiting for writes that last, to note those that follow: attempt ${attempts}.`);
    }),
  );
  await withShortWaits(session, () => session.execute(DROP_SHADOW_TABLES), {
    onRefused: atFirst((attempts) => {
      noteBeginning(`Waiting for long reads, to remove the tables of an interrupted reindex: attempt ${attempts}.`);
    }),
  });
  const tables = await ShadowTables.create(session);
  const events = await fill(database, session, writer, (done, total) => {
    onProgress({ step: 'events', done, total });
  });
  await removeOutdated(session);
  await buildIndexes(tables, onProgress);

  const note = (text: string): void => {
    onProgress({ step: 'swap', note: text });
  };
  await tables.addForeignKeys(
    atFirst((attempts) => {
      note(`Waiting for others that last, to tie the new tables to the events: attempt ${attempts}.`);
    }),
  );
  const catchingUp: NearCatchUp = {
    session,
    changes,
    writer,
    onLeft: (left) => {
      note(`Deriving ${left} events that were changed meanwhile.`);
    },
  };
  await catchUpNearly(catchingUp);
  await tables.vacuum();
  await catchUpNearly(catchingUp);
  await swap(
    { ...catchingUp, tables },
    atFirst((attempts) => {
      note(`Waiting for reads that last, to put the new tables in place: attempt ${attempts}.`);
    }),
  );
  // Requires the index owner; vacuum does it otherwise.
  await session.query(sql`select gin_clean_pending_list('event_search_terms')`).catch(() => undefined);
  return events;
}

async function buildIndexes(tables: ShadowTables, onProgress: (progress: ReindexProgress) => void): Promise<void> {
  const { indexes } = tables;
  const total = indexes.length;
  for (const [done, { name, build }] of indexes.entries()) {
    onProgress({ step: 'indexes', done, total, note: name });
    await build();
  }
  onProgress({ step: 'indexes', done: total, total });
}
