import { setTimeout as sleep } from 'node:timers/promises';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { isSqlError } from '../../kernel/errors/sql-state.js';
import { sql } from '../../kernel/sql/sql.js';
import { ADVISORY_LOCKS, BITMAPS_LOCK, takeLock } from '../../platform/database/connection/advisory-locks.js';
import { derivedState } from '../../platform/database/connection/derived-version.js';
import type { Database } from '../../platform/database/pools/database.js';
import { eventBatches, everyEvent, type NextEvents } from './event-batches.js';
import { RecordedRun, type ReindexProgress } from './reindex-runs.js';
import { isLockRefused, PAUSE_MS, ReindexSession } from './reindex-session.js';
import { RowWriter } from './row-writer.js';
import { DROP_SHADOW_TABLES, NEXT_TABLES, ShadowTables, SWAPPED_TABLES } from './shadow-tables.js';

interface Rebuild {
  readonly database: Database;
  readonly session: ReindexSession;
  readonly writer: Pick<RowWriter, 'derive' | 'write'>;
  readonly onProgress: (progress: ReindexProgress) => void;
}

/**
 * Derives every event into the new tables, in constant memory; reading and writing are pipelined. Resolves with the
 * number of events.
 */
async function fill({ database, session, writer, onProgress }: Rebuild): Promise<number> {
  // Later events are noted as changes.
  const [extent] = await database.query<{ last: string; total: number }>(
    sql`select coalesce(max(seq), 0) as last, count(*)::int as total from event where not is_draft`,
  );
  const { last, total } = extent ?? { last: '0', total: 0 };
  let done = 0;
  const tell = (): void => {
    onProgress({ step: 'events', done, total: Math.max(done, total) });
  };
  tell();
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const events of eventBatches(database, everyEvent(last))) {
      const rows = await writer.derive(events);
      await writing;
      writing = session.transaction(() => writer.write(session, rows));
      // The next waiter gets the failure.
      writing.catch(() => undefined);
      done += events.length;
      tell();
    }
    await writing;
    return done;
  } finally {
    await writing.catch(() => undefined);
  }
}

/** In the new tables; the other rows equal the live ones. */
async function removeChanged(session: ReindexSession): Promise<void> {
  for (const table of [NEXT_TABLES.search, NEXT_TABLES.documents]) {
    await session.query(sql`delete from ${table} where seq in (select seq from reindex_changed)`);
  }
}

/** Derived together, and while writers wait. */
const FEW_CHANGES = 200;
/** Derived together while writers go on: each time all notes are read. */
const MANY_CHANGES = 5_000;

/**
 * Derives some changed events again; resolves with their number. Requires a transaction with one snapshot, or without
 * writers: numbers may have moved between the events.
 */
async function catchUpSome({ session, writer }: Rebuild, most: number): Promise<number> {
  await removeChanged(session);
  const taken = await session.query<{ seq: string }>(sql`
    with earliest as (select distinct seq from reindex_changed order by seq limit ${most}::int)
    delete from reindex_changed where seq in (select seq from earliest) returning seq`);
  const seqs = [...new Set(taken.map(({ seq }) => seq))];
  const those: NextEvents = (after, most) => sql`
    select seq from event where seq = any (${seqs}::bigint[]) and seq > ${after}::bigint and not is_draft
     order by seq limit ${most}::int`;
  for await (const events of eventBatches(session, those)) await writer.write(session, await writer.derive(events));
  return seqs.length;
}

async function changesLeft(session: ReindexSession): Promise<number> {
  const [row] = await session.query<{ left: number }>(
    sql`select count(distinct seq)::int as left from reindex_changed`,
  );
  return row?.left ?? 0;
}

/** Until few changes are left, or no fewer than before: faster writers must be locked out. */
async function catchUpNearly(rebuild: Rebuild): Promise<void> {
  const { session, onProgress } = rebuild;
  for (let before = Infinity; ;) {
    const left = await changesLeft(session);
    if (left <= FEW_CHANGES || left >= before) return;
    before = left;
    onProgress({ step: 'swap', note: `Deriving ${left} events that were changed meanwhile.` });
    for (let done = 0; done < left;) {
      try {
        const derived = await session.snapshot(() => catchUpSome(rebuild, MANY_CHANGES));
        if (derived === 0) break;
        done += derived;
      } catch (error) {
        // An event was deleted while its rows were written.
        if (!isSqlError(error, 'serializationFailure', 'foreignKeyViolation')) throw error;
      }
    }
  }
}

/** For writers, at most. */
const WRITERS_WAIT_MS = 2_000;
const CATCH_UP_MS = 3_000;

/**
 * In one transaction: a search sees all old or all new tables. Writers are blocked during the last changes, searches
 * during the renaming. Tries until it succeeds, with short waits; `onRefused` gets the number of failed attempts.
 */
async function swap(rebuild: Rebuild, tables: ShadowTables, onRefused: (attempts: number) => void): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await catchUpNearly(rebuild);
    try {
      if ((await rebuild.session.transaction(() => attemptSwap(rebuild, tables))) === 'swapped') return;
      continue;
    } catch (error) {
      if (!isLockRefused(error)) throw error;
    }
    onRefused(attempt);
    await sleep(PAUSE_MS);
  }
}

async function attemptSwap(rebuild: Rebuild, tables: ShadowTables): Promise<'swapped' | 'behind'> {
  const { session } = rebuild;
  await session.limitLockWaits(WRITERS_WAIT_MS);
  // Before any table lock, as bitmaps may take seconds.
  await session.query(sql`select pg_advisory_xact_lock(${BITMAPS_LOCK})`);
  // Makes autovacuum yield, and blocks nobody.
  await session.query(sql`lock table ${SWAPPED_TABLES} in share update exclusive mode`);
  // Writers that lock events first are not blocked.
  await session.query(sql`lock table ${SWAPPED_TABLES} in exclusive mode`);
  const untilMs = performance.now() + CATCH_UP_MS;
  while ((await catchUpSome(rebuild, FEW_CHANGES)) > 0) {
    // Progress is kept for the next attempt.
    if (performance.now() > untilMs) return 'behind';
  }
  if (!(await tables.areStillAlike())) {
    throw new ServiceError('CONFLICT', 'The schema was changed during the reindex: run it again.');
  }
  await session.limitLockWaits();
  await session.query(sql`lock table ${SWAPPED_TABLES} in access exclusive mode`);
  await tables.takeOver();
  return 'swapped';
}

export interface ReindexOptions {
  /** The id of a run registered before its start (I-5). */
  readonly runId?: string | undefined;
  readonly writer?: Rebuild['writer'];
}

/**
 * Derives everything again into new tables, which then replace the live ones, while searches and writes continue. An
 * interrupted run has no visible effect. Resolves with the number of events. Fails during another reindex.
 */
export async function reindex(
  database: Database,
  configuration: EventConfiguration,
  onProgress: (progress: ReindexProgress) => void = () => undefined,
  { runId, writer = new RowWriter(database, configuration) }: ReindexOptions = {},
): Promise<number> {
  const session = await ReindexSession.open(database);
  const run = new RecordedRun(database, runId);
  try {
    await lockOutOthers(session);
    if ((await derivedState(session)) === 'superseded') onProgress({ step: 'begin', note: GOING_BACK });
    try {
      await run.begin();
      const onProgressOfRun = (progress: ReindexProgress): void => {
        run.progress(progress);
        onProgress(progress);
      };
      const events = await rebuild({ database, session, writer, onProgress: onProgressOfRun });
      await run.complete(events);
      return events;
    } catch (error) {
      // The next run removes tables that are left.
      await session.transaction(() => dropShadowTables(session)).catch(() => undefined);
      await run.fail(error).catch(() => undefined);
      throw error;
    }
  } finally {
    session.close();
  }
}

async function dropShadowTables(session: ReindexSession): Promise<void> {
  await session.limitLockWaits();
  await session.execute(DROP_SHADOW_TABLES);
}

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

/** How long writers may take before a message. */
const TOLD_AFTER_MS = 2_000;

/** From here on writers note what they change (`writeContents`), for as long as the session has the lock. */
async function noteChanges(session: ReindexSession, onWait: () => void): Promise<void> {
  const waiting = setTimeout(onWait, TOLD_AFTER_MS);
  try {
    await session.query(sql`select pg_advisory_lock(${ADVISORY_LOCKS.listening}::bigint)`);
  } finally {
    clearTimeout(waiting);
  }
}

async function rebuild(parts: Rebuild): Promise<number> {
  const { session, onProgress } = parts;
  /** Tells of the first refusals, then of ever fewer. */
  const refused = (step: 'begin' | 'swap', what: string) => (attempts: number) => {
    if (Number.isInteger(Math.log2(attempts))) onProgress({ step, note: `${what}: attempt ${attempts}.` });
  };
  // Notes of a killed run.
  await session.query(sql`delete from reindex_changed`);
  await noteChanges(session, () => {
    onProgress({ step: 'begin', note: 'Waiting for writes that last, to note those that follow.' });
  });
  const removing = 'Waiting for long reads, to remove the tables of an interrupted reindex';
  await session.patiently(() => session.execute(DROP_SHADOW_TABLES), refused('begin', removing));
  const tables = await ShadowTables.create(session);
  const events = await fill(parts);
  await removeChanged(session);
  const { indexes } = tables;
  for (const [done, { name, statement }] of indexes.entries()) {
    onProgress({ step: 'indexes', done, total: indexes.length, note: name });
    await session.execute([statement]);
  }
  onProgress({ step: 'indexes', done: indexes.length, total: indexes.length });
  await tables.addForeignKeys(refused('swap', 'Waiting for others that last, to tie the new tables to the events'));
  await catchUpNearly(parts);
  await tables.vacuum();
  await swap(parts, tables, refused('swap', 'Waiting for reads that last, to put the new tables in place'));
  // Requires the index owner; vacuum does it otherwise.
  await session.query(sql`select gin_clean_pending_list('event_search_terms')`).catch(() => undefined);
  return events;
}
