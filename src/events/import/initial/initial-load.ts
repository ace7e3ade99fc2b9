import { ADVISORY_LOCKS, BITMAPS_LOCK } from '../../../platform/database/connection/advisory-locks.js';
import {
  DERIVED_VERSION,
  LOADING,
  REQUIRE_DERIVED_VERSION,
  UNICODE,
} from '../../../platform/database/connection/derived-version.js';
import type { Database } from '../../../platform/database/pools/database.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { takeLock } from '../../../platform/database/connection/take-lock.js';
import { together } from '../../../platform/database/connection/together.js';
import { FORGET_BITMAPS } from '../../index/bitmaps/write-bitmaps.js';
import { areManyNames, moveWords } from '../../index/near-words/block-keeper.js';
import { ServiceError } from '../../../kernel/errors/service-error.js';
import { Sql, sql } from '../../../kernel/sql/sql.js';

/** An index that is built when all records are there. */
interface DeferredIndex {
  readonly name: string;
  /** The statement that builds it, from PostgreSQL's catalogue. */
  readonly definition: string;
}

interface State {
  readonly version: number;
  readonly indexes: readonly DeferredIndex[];
}

type OnIndex = (progress: { readonly done: number; readonly total: number; readonly name: string }) => void;

/** Searches and writers wait that long at most while the indexes are dropped. */
const SHORT_WAIT = sql`set local lock_timeout = '5s'`;

/**
 * Fills a database without records: `load` writes them without the indexes that only speed up searches, which are built
 * when it has succeeded; unique ones stay. From the beginning to the end nobody else can search, or write records other
 * than drafts: they get 503, and no process is ready. If it fails or is killed it stays so, and the next call goes on:
 * `load` then finds what was written. Throws a CONFLICT if there are records from elsewhere, a load is running, or one
 * was begun by a release that derives something else.
 */
export async function initialLoad<T>(
  database: Database,
  load: () => Promise<T>,
  onIndex: OnIndex,
  patienceMs?: number,
): Promise<T> {
  const runner = database.dataSource.createQueryRunner();
  try {
    await runner.connect();
    await lockOutOthers((text) => runner.query(text), patienceMs);
    await begin(database);
    const result = await load();
    await finish(database, onIndex, () => stillHeld((text) => runner.query(text)));
    return result;
  } finally {
    await runner.query('select pg_advisory_unlock_all()').catch(() => undefined);
    await runner.release();
  }
}

async function lockOutOthers(query: (text: string) => Promise<unknown>, patienceMs: number | undefined): Promise<void> {
  const tryLock = async (): Promise<boolean> => {
    const rows = await query(`select pg_try_advisory_lock(${ADVISORY_LOCKS.initialLoad}) as locked`);
    return (rows as readonly { readonly locked: boolean }[])[0]?.locked === true;
  };
  if (!(await takeLock(tryLock, patienceMs))) throw new ServiceError('CONFLICT', 'Another initial load is running.');
}

/** Fails if the connection that holds the lock is gone: another load may be running. */
async function stillHeld(query: (text: string) => Promise<unknown>): Promise<void> {
  try {
    await query('select 1');
  } catch (error) {
    throw new ServiceError('CONFLICT', 'The connection with the lock of the initial load was lost: run it again.', {
      cause: error,
    });
  }
}

/** Goes on with a load that was interrupted. */
async function begin(database: Database): Promise<void> {
  await database.patient.transaction(async (transaction) => {
    await transaction.query(SHORT_WAIT);
    const state = await stateOf(transaction);
    if (state !== undefined) {
      if (state.version === DERIVED_VERSION) return;
      throw new ServiceError(
        'CONFLICT',
        'The initial load was begun by a release that derives something else from records: end it with that release, or begin with an empty database.',
      );
    }
    await transaction.query(sql`select ${REQUIRE_DERIVED_VERSION}`);
    // Writers lock events first: those that wait here find the load under way, and are refused.
    await transaction.query(sql`lock table event, event_search in access exclusive mode`);
    const records = await transaction.query(sql`select from event limit 1`);
    if (records.length > 0) {
      throw new ServiceError(
        'CONFLICT',
        'There are records that no initial load has brought: import without --initial, or into an empty database.',
      );
    }
    const indexes = await transaction.query<DeferredIndex>(sql`
      select format('%I', relname) as name, pg_get_indexdef(indexrelid) as definition
        from pg_index join pg_class on pg_class.oid = indexrelid
       where indrelid = 'event_search'::regclass and not indisunique order by relname`);
    await transaction.query(
      sql`insert into initial_load (version, indexes) values (${DERIVED_VERSION}::int, ${JSON.stringify(indexes)}::jsonb)`,
    );
    for (const { name } of indexes) await transaction.query(statementOf(`drop index ${name}`));
    await transaction.query(sql`update derived_version set version = ${LOADING}::int, unicode = ${UNICODE}`);
  });
}

async function finish(database: Database, onIndex: OnIndex, stillHeld: () => Promise<void>): Promise<void> {
  const state = await stateOf(database);
  const all = state?.indexes ?? [];
  const failed = new AbortController();
  const building = buildIndexes(database, all, onIndex, stillHeld).catch((error: unknown) => {
    failed.abort();
    throw error;
  });
  // Beside the indexes, on another core of the server. The first process to start would otherwise read all words.
  const moving = areManyNames(database.patient).then((beginNames) =>
    moveWords(database.patient, { signal: failed.signal, beginNames }),
  );
  await together(building, moving);
  onIndex({ done: all.length, total: all.length, name: '' });
  // Searches and look-ups must not be planned for empty tables, also where an earlier run has written the records.
  await database.patient.query(sql`vacuum (analyze) event, event_search`);
  await stillHeld();
  await database.patient.transaction(async (transaction) => {
    const ended = await transaction.query(sql`delete from initial_load returning version`);
    // Another process has ended it.
    if (ended.length === 0) return;
    // The Unicode is that of whoever began: if another has gone on, the log of its processes says so.
    await transaction.query(sql`update derived_version set version = ${DERIVED_VERSION}::int`);
    // Whoever applies marks locks these tables in another order.
    await transaction.query(sql`select pg_advisory_xact_lock(${BITMAPS_LOCK})`);
    // No record has a bitmap yet: they are chosen and built as on any database.
    await transaction.query(FORGET_BITMAPS);
  });
}

/** Each index with its own transaction: killed at any moment, the next call builds those that are missing. */
async function buildIndexes(
  database: Database,
  all: readonly DeferredIndex[],
  onIndex: OnIndex,
  stillHeld: () => Promise<void>,
): Promise<void> {
  for (const [done, { name, definition }] of all.entries()) {
    onIndex({ done, total: all.length, name });
    await stillHeld();
    await database.patient.transaction(async (transaction) => {
      await transaction.query(MEMORY);
      await transaction.query(statementOf(definition));
      await transaction.query(sql`update initial_load set indexes = ${JSON.stringify(all.slice(done + 1))}::jsonb`);
    });
  }
  onIndex({ done: all.length, total: all.length, name: 'number_block' });
}

async function stateOf(reader: Queryable): Promise<State | undefined> {
  const [state] = await reader.query<State>(sql`select version, indexes from initial_load`);
  return state;
}

/** A statement that PostgreSQL itself has generated from its catalogue. */
const statementOf = (text: string): Sql => Sql.of([text], []);

const MEMORY = sql`select set_config('maintenance_work_mem', greatest(setting::bigint, 262144)::text, true)
                     from pg_settings where name = 'maintenance_work_mem'`;
