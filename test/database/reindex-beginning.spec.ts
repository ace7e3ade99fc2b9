import pg from 'pg';
import { DERIVED_VERSION } from '../../src/platform/database/connection/derived-version.js';
import type { Database } from '../../src/platform/database/pools/database.js';
import { writeRecords } from '../../src/events/records/write-records.js';
import { checkDerived } from '../../src/events/reindex/check-derived.js';
import type { ReindexProgress } from '../../src/events/reindex/reindex-runs.js';
import { reindex } from '../../src/events/reindex/reindex.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { prepareEvent } from '../support/prepare-event.js';
import { storeRecords } from '../support/store-records.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

const RECORDS = 20;

let test: TestDatabase;
let database: Database;
let other: pg.Client;
beforeEach(async () => {
  test = await createTestDatabase();
  ({ database } = test);
  await storeRecords(
    database,
    Array.from({ length: RECORDS }, () => aRecord()),
  );
  other = new pg.Client(test.url);
  await other.connect();
});
afterEach(async () => {
  await other.end();
  await test.drop();
});

/** A run, with what it says. */
function started(): { readonly running: Promise<number>; readonly said: string[] } {
  const said: string[] = [];
  const note = (progress: ReindexProgress): void => {
    if (!('done' in progress)) said.push(progress.note);
  };
  return { running: reindex(database, WITHOUT_FORMS, note), said };
}

/** Leaves what a killed run leaves: it could not clean up. */
async function interrupted(): Promise<void> {
  const lost = new Error('the server was shut down');
  const running = reindex(database, WITHOUT_FORMS, ({ step }) => {
    if (step === 'indexes') throw lost;
  });
  await expect(running).rejects.toBe(lost);
  await database.query(sql`create table event_search_next (like event_search)`);
  await database.query(sql`create table event_document_next (like event_document)`);
  await database.query(sql`insert into reindex_changed (seq) select seq from event`);
}

const isClean = async (): Promise<void> => {
  expect((await checkDerived(database, WITHOUT_FORMS)).differences).toEqual([]);
};

describe('a reindex that begins', () => {
  it('starts again while a dump reads the notes of an interrupted one', async () => {
    await interrupted();
    await other.query('begin; lock table reindex_changed in access share mode');
    expect(await started().running).toBe(RECORDS);
    await other.query('commit');
    await isClean();
  });

  it('says what it waits for, where it must remove the tables of an interrupted one', async () => {
    await interrupted();
    await other.query('begin; lock table event_search_next in access share mode');
    const { running, said } = started();
    await eventually('it says so twice', () => said.some((note) => note.includes('attempt 2')));
    expect(said).toEqual([
      'Waiting for long reads, to remove the tables of an interrupted reindex: attempt 1.',
      'Waiting for long reads, to remove the tables of an interrupted reindex: attempt 2.',
    ]);
    await other.query('commit');
    expect(await running).toBe(RECORDS);
    await isClean();
  });

  it('says that it waits for a write that does not end, and misses nothing of it', async () => {
    await interrupted();
    const { running, said } = await database.transaction(async (transaction) => {
      await writeRecords(transaction, [prepareEvent({ kind: 'record', record: aRecord() }, WITHOUT_FORMS)]);
      const begun = started();
      await eventually('it says so', () => begun.said.length > 0);
      return begun;
    });
    expect(said[0]).toBe('Waiting for writes that last, to note those that follow.');
    await running;
    await isClean();
  });

  it('says that it goes back, where a later release has derived what searches read', async () => {
    await database.query(sql`update derived_version set version = ${DERIVED_VERSION + 1}::int`);
    const { running, said } = started();
    expect(await running).toBe(RECORDS);
    expect(said).toEqual([expect.stringMatching(/^A later release has derived what searches read\. /)]);
    await isClean();
  });
});
