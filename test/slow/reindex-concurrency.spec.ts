import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Database } from '../../src/platform/database/pools/database.js';
import { derivedSnapshot } from '../../src/events/index/derived-snapshot.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { retryingDeadlocks } from '../../src/platform/database/connection/queryable.js';
import { writeRecords } from '../../src/events/records/write-records.js';
import { checkDerived } from '../../src/events/reindex/check-derived.js';
import type { EventRow } from '../../src/events/reindex/event-batches.js';
import type { ReindexProgress } from '../../src/events/reindex/reindex-runs.js';
import { reindex } from '../../src/events/reindex/reindex.js';
import { RowWriter } from '../../src/events/reindex/row-writer.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRegisteredStatus } from '../support/builders/a-legal-status.js';
import { aRecord } from '../support/builders/a-record.js';
import { untilLocksAreAwaited } from '../support/database-activity.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { prepareEvent } from '../support/prepare-event.js';
import { searchRecords } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

const RECORDS = 600;

const registered = (): EventRecord['legalStatuses'] => ({ DECLARED: null, REGISTERED: aRegisteredStatus() });

const BIRTHS = Array.from({ length: RECORDS }, () => aRecord({ status: 'REGISTERED', legalStatuses: registered() }));

let stored: TestDatabase;
let test: TestDatabase;
let database: Database;
let births: EventRecord[];
beforeAll(async () => {
  stored = await createTestDatabase();
  await storeRecords(stored.database, BIRTHS);
  await stored.dataSource.destroy();
});
afterAll(() => stored.drop());
beforeEach(async () => {
  test = await createTestDatabase({ of: stored });
  ({ database } = test);
  births = [...BIRTHS];
});
afterEach(() => test.drop());

const isClean = async (): Promise<void> => {
  expect((await checkDerived(database, WITHOUT_FORMS)).differences).toEqual([]);
};

/** Whatever belongs to the schema: what a reindex has made for itself is there until its end. */
const schema = async (): Promise<unknown> =>
  database.query(sql`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace
     union all select proname from pg_proc where pronamespace = 'public'::regnamespace
     union all select tgname from pg_trigger where not tgisinternal order by name`);

const write = (...records: readonly EventRecord[]) =>
  retryingDeadlocks(() =>
    database.transaction((transaction) =>
      writeRecords(
        transaction,
        records.map((record) => prepareEvent({ kind: 'record', record }, WITHOUT_FORMS)),
      ),
    ),
  );

interface Worker {
  /** How often it has done its work so far; Infinity once it has failed. */
  readonly times: () => number;
  /** Yields how often, or fails as it did. */
  readonly stop: () => Promise<number>;
}

/** Runs `step` over and over. */
function repeat(step: (n: number) => Promise<void>): Worker {
  let stopped = false;
  let times = 0;
  const running = (async () => {
    for (; !stopped; times += 1) await step(times);
    return times;
  })();
  running.catch(() => {
    times = Infinity;
  });
  return {
    times: () => times,
    stop: () => {
      stopped = true;
      return running;
    },
  };
}

/**
 * Derives the rows of the first two batches, before writers are kept out, only after each of the workers has done its
 * work once more: so they work beside it.
 */
function besideAll(workers: readonly Worker[]): Pick<RowWriter, 'derive' | 'write'> {
  let batches = 0;
  return deriving(async () => {
    batches += 1;
    if (batches > 2) return;
    const before = workers.map(({ times }) => times());
    await eventually('all go on', () => workers.every(({ times }, at) => times() > (before[at] ?? 0)));
  });
}

/** Calls `first` before it derives each batch. */
function deriving(first: (events: readonly EventRow[]) => Promise<void>): Pick<RowWriter, 'derive' | 'write'> {
  const writer = new RowWriter(database, WITHOUT_FORMS);
  return {
    derive: async (events) => {
      await first(events);
      return writer.derive(events);
    },
    write: (session, rows) => writer.write(session, rows),
  };
}

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: test.url });
  // When a test fails, its database is dropped under it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** A read that lasts until it is ended, as a large export does. */
async function longRead(): Promise<() => Promise<void>> {
  const client = await connected();
  await client.query('begin; select from event_search limit 1');
  return () => client.end();
}

const tableIds = () => database.query(sql`select 'event_search'::regclass::oid, 'event_document'::regclass::oid`);

describe('a reindex while others work', () => {
  it('is noticed by no search, and loses no write', async () => {
    const client = await connected();
    const prepared = {
      name: 'total',
      text: 'select count(*)::int as total from event_search join event_document using (seq) where type = $1',
      values: ['birth'],
    };
    const before = await tableIds();
    const workers = [
      repeat(async () => {
        const body = { query: { clauses: [{ eventType: 'birth' }] }, limit: 3 };
        expect((await searchRecords(database, body)).total).toBe(RECORDS);
      }),
      repeat(async () => {
        expect((await client.query(prepared)).rows).toEqual([{ total: RECORDS }]);
      }),
      repeat(async () => {
        const totals = await derivedSnapshot(database, async (snapshot) => {
          const documents = await snapshot.query(sql`select count(*)::int as total from event_document`);
          await sleep(20);
          return [documents, await snapshot.query(sql`select count(*)::int as total from event_search`)];
        });
        expect(totals[1]).toEqual(totals[0]);
      }),
      repeat(async (n) => {
        const [a, b] = [births[(7 * n) % RECORDS], births[(7 * n + 1) % RECORDS]];
        if (a === undefined || b === undefined) throw new Error('there are records');
        const changed = { ...a, flags: [`flag ${n}`], legalStatuses: registered() };
        // A registration number that goes from one record to another must never be seen twice.
        const successor = { ...b, legalStatuses: a.legalStatuses };
        births[(7 * n) % RECORDS] = changed;
        births[(7 * n + 1) % RECORDS] = successor;
        await write(changed, aRecord({ type: 'death', declaration: { 'deceased.nickname': `nickname${n}` } }));
        await write(successor);
        const body = { query: { clauses: [{ flags: { anyOf: [`flag ${n}`] } }] } };
        expect((await searchRecords(database, body)).total).toBe(1);
      }),
    ];
    await reindex(database, WITHOUT_FORMS, undefined, { writer: besideAll(workers) });
    const counts = await Promise.all(workers.map(({ stop }) => stop()));
    expect(Math.min(...counts)).toBeGreaterThan(2);
    expect(await tableIds()).not.toEqual(before);
    await isClean();
    await client.end();
  });

  it('waits for reads that last, while others search and write', async () => {
    const end = await longRead();
    const notes: string[] = [];
    const running = reindex(database, WITHOUT_FORMS, ({ note }: ReindexProgress) => notes.push(note ?? ''));
    await eventually('it has tried in vain', () => notes.some((note) => note.includes('attempt 2')));
    const record = aRecord();
    await write(record);
    expect((await searchRecords(database, { query: { clauses: [{ id: record.id }] } })).total).toBe(1);
    await end();
    expect(await running).toBe(RECORDS);
    await isClean();
  });

  it('waits for bitmaps that are built, and keeps nobody out meanwhile', async () => {
    const building = await connected();
    const other = await connected();
    await building.query(
      `begin; select pg_advisory_xact_lock(hashtext('matricula.bitmaps')); lock table bitmap in row exclusive mode`,
    );
    const running = reindex(database, WITHOUT_FORMS);
    await untilLocksAreAwaited(database, 1, 'advisory');
    await other.query('begin; lock table event, event_search, bitmap_dirty in row exclusive mode nowait; rollback');
    await building.query('rollback');
    expect(await running).toBe(RECORDS);
    await Promise.all([building.end(), other.end()]);
    await isClean();
  });

  it('is refused while another one runs', async () => {
    const end = await longRead();
    const notes: string[] = [];
    const first = reindex(database, WITHOUT_FORMS, ({ note }) => notes.push(note ?? ''));
    await eventually('the first one runs', () => notes.length > 0);
    await expect(reindex(database, WITHOUT_FORMS)).rejects.toThrow('Another reindex is running.');
    await end();
    expect(await first).toBe(RECORDS);
    await isClean();
  });

  it('gives up when the schema changes under it, and leaves nothing behind', async () => {
    const end = await longRead();
    const notes: string[] = [];
    const running = reindex(database, WITHOUT_FORMS, ({ note }) => notes.push(note ?? ''));
    const failed = expect(running).rejects.toThrow('The schema was changed during the reindex: run it again.');
    await eventually('it waits', () => notes.some((note) => note.includes('attempt')));
    await database.query(sql`create index another on event_search (type)`);
    await failed;
    await end();
    await database.query(sql`drop index another`);
    await isClean();
  });

  it('derives many changes before it keeps writers out, also when some are deleted meanwhile', async () => {
    let calls = 0;
    const writer = deriving(async (events) => {
      calls += 1;
      if (calls === 2) await write(...births.slice(0, 300).map((birth) => ({ ...birth, flags: ['changed'] })));
      if (calls === 3 || calls === 4) await database.query(sql`delete from event where seq = ${events[0]?.seq ?? ''}`);
    });
    const notes: string[] = [];
    await reindex(database, WITHOUT_FORMS, ({ step, note }) => step === 'swap' && notes.push(note), { writer });
    expect(notes).toEqual(['Deriving 300 events that were changed meanwhile.']);
    await isClean();
  });

  it('that is chosen to end a deadlock over words writes them again', async () => {
    await database.query(sql`delete from fuzzy_word`);
    const words = (word: string): string =>
      `insert into fuzzy_word (path_id, word) select id, '${word}' from fuzzy_path`;
    const other = await connected();
    await other.query(`set deadlock_timeout = '1min'; begin; ${words('musonda')}`);
    const running = reindex(database, WITHOUT_FORMS);
    // It waits for the other.
    await untilLocksAreAwaited(database);
    await other.query(words('chilufya'));
    await other.query('commit');
    expect(await running).toBe(RECORDS);
    await other.end();
    await isClean();
  });

  it('whose connection is lost changes nothing, notes nothing more, and is cleared away by the next one', async () => {
    const clean = await schema();
    const end = await longRead();
    const notes: string[] = [];
    const running = reindex(database, WITHOUT_FORMS, ({ note }) => notes.push(note ?? ''));
    const failed = expect(running).rejects.toThrow();
    await eventually('it waits', () => notes.some((note) => note.includes('attempt')));
    await database.query(sql`
      select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database = (
        select oid from pg_database where datname = current_database())`);
    await failed;
    await end();
    // A connection that is ended says so before its locks are released.
    await eventually('nothing runs any more', async () => {
      const held = sql`
        select from pg_locks where locktype = 'advisory' and database = (
          select oid from pg_database where datname = current_database())`;
      return (await database.query(held)).length === 0;
    });
    expect(await schema()).not.toEqual(clean);
    await write(aRecord());
    expect(await database.query(sql`select seq from reindex_changed`)).toEqual([]);
    await isClean();
    await reindex(database, WITHOUT_FORMS);
    await isClean();
    expect(await schema()).toEqual(clean);
  });
});
