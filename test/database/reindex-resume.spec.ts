import type { Database } from '../../src/database/pools/database.js';
import { atOnce } from '../../src/database/time-slice.js';
import { writeAreaTerms } from '../../src/derived/areas/write-area-terms.js';
import { EventConfiguration } from '../../src/domain/event-configuration/event-configuration.js';
import type { EventRecord } from '../../src/domain/record/event-record.js';
import { importLocations } from '../../src/locations/import-locations.js';
import { eventChange } from '../../src/records/event-change.js';
import { writeChanges } from '../../src/records/store/write-changes.js';
import { writeRecords } from '../../src/records/store/write-records.js';
import { lockStoredEvents } from '../../src/records/stored-events.js';
import { checkDerived } from '../../src/reindex/check/check-derived.js';
import type { ReindexProgress } from '../../src/reindex/reindex-progress.js';
import type { ReindexOptions } from '../../src/reindex/reindex.js';
import { reindex } from '../../src/reindex/reindex.js';
import { sql } from '../../src/sql/sql.js';
import { COUNTRY } from '../support/areas.js';
import { aRegisteredStatus } from '../support/builders/a-legal-status.js';
import { aRecord } from '../support/builders/a-record.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';
import { prepareEvent } from '../support/prepare-event.js';
import { storeRecords } from '../support/store-records.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let test: TestDatabase;
let database: Database;
beforeEach(async () => {
  test = await createTestDatabase();
  ({ database } = test);
});
afterEach(() => test.drop());

const registered = (): EventRecord =>
  aRecord({ status: 'REGISTERED', legalStatuses: { DECLARED: null, REGISTERED: aRegisteredStatus() } });

const some = (count: number): EventRecord[] => Array.from({ length: count }, registered);

const write = (...records: readonly EventRecord[]) =>
  database.transaction((transaction) =>
    writeRecords(
      transaction,
      records.map((record) => prepareEvent({ kind: 'record', record }, WITHOUT_FORMS)),
    ),
  );

/** Loses the connection, as the server reports it, when it has come as far as `isThere` says. */
async function interrupted(isThere: (progress: ReindexProgress) => boolean): Promise<void> {
  const lost = Object.assign(new Error('the server was shut down'), { code: '57P01' });
  const running = reindex(database, WITHOUT_FORMS, (progress) => {
    if (isThere(progress)) throw lost;
  });
  await expect(running).rejects.toBe(lost);
}

const afterABatch = (progress: ReindexProgress): boolean => progress.step === 'events' && progress.done > 0;
const amongIndexes = (progress: ReindexProgress): boolean => progress.step === 'indexes' && progress.done === 5;

/** What a run says first, how many events it found derived, and its result. */
async function resumed(configuration = WITHOUT_FORMS, options: ReindexOptions = {}) {
  const all: ReindexProgress[] = [];
  const events = await reindex(database, configuration, (progress) => all.push(progress), options);
  const said = all.flatMap(({ step, note }) => (step === 'begin' ? [note] : []));
  const first = all.flatMap((progress) => (progress.step === 'events' ? [progress.done] : []))[0];
  return { said, first, events };
}

const goingOn = (derived: number): unknown =>
  expect.stringMatching(`^Going on with the reindex of .*: ${derived} events are derived\\.$`);

const differences = async () => (await checkDerived(database, WITHOUT_FORMS)).differences;

const left = () =>
  database.query(sql`
    select relname from pg_class where relname like 'reindex%' and relname not like 'reindex_run%'
     union all select relname from pg_class where relname like '%_next'`);

/** Whatever can become of records that are derived, and others. */
async function changeMany([a, b, c, d]: readonly EventRecord[]): Promise<void> {
  if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('there are records');
  await write({ ...a, flags: ['changed'], legalStatuses: registered().legalStatuses });
  await write({ ...b, legalStatuses: a.legalStatuses });
  await database.query(sql`delete from event where id = ${c.id}`);
  // Within a savepoint of its own, as another transaction.
  await write({ ...d, declaration: { 'child.nickname': 'Bwalya' } }, registered());
}

describe('a reindex that was interrupted', () => {
  it('goes on with the events that are left, and sees what was written since', async () => {
    const records = some(1_100);
    await storeRecords(database, records);
    await interrupted(afterABatch);
    await changeMany([...records.slice(0, 3), ...records.slice(-1)]);
    expect(await resumed()).toEqual({ said: [goingOn(500)], first: 500, events: 1_101 });
    expect([await differences(), await left()]).toEqual([[], []]);
  });

  it('goes on with the indexes that are left, also when it is interrupted again', async () => {
    const records = some(20);
    await storeRecords(database, records);
    await interrupted(amongIndexes);
    await changeMany(records);
    await interrupted((progress) => progress.step === 'indexes' && progress.done === progress.total);
    await changeMany(records.slice(4));
    expect(await resumed()).toEqual({ said: [goingOn(20)], first: undefined, events: 20 });
    expect([await differences(), await left()]).toEqual([[], []]);
  });

  it('loses nothing when a crash took back its last steps, and the notes of changes with them', async () => {
    const records = some(20);
    await storeRecords(database, records);
    await interrupted(amongIndexes);
    await write({ ...registered(), flags: ['new'] });
    await database.query(sql`truncate reindex_changed`);
    await resumed();
    expect(await differences()).toEqual([]);
  });

  it('misses nothing of a write that was under way when it began, though the notes of it are lost in a crash', async () => {
    const records = some(3);
    await storeRecords(database, records);
    const [record] = records;
    if (record === undefined) throw new Error('there are records');
    await database.transaction(async (transaction) => {
      // The oldest transaction: what it writes is as old as anything that the run may have missed.
      await transaction.query(sql`select pg_current_xact_id()`);
      await interrupted(afterABatch);
      const changed = prepareEvent({ kind: 'record', record: { ...record, flags: ['changed'] } }, WITHOUT_FORMS);
      const stored = await lockStoredEvents(transaction, [record.id]);
      const change = atOnce(eventChange(changed, stored.get(record.id)));
      if (change !== undefined) await writeChanges(transaction, [change]);
    });
    await database.query(sql`delete from reindex_changed`);
    expect((await resumed()).said).toEqual([goingOn(3)]);
    expect(await differences()).toEqual([]);
    const flags = await database.query(sql`select flags from event_search where id = ${record.id}`);
    expect(flags).toEqual([{ flags: ['changed'] }]);
  });

  it('is given up where the rest would be derived otherwise, and says so', async () => {
    await storeRecords(database, some(3));
    const givenUp: [reason: string, change: () => Promise<unknown>, EventConfiguration?, ReindexOptions?][] = [
      ['as it was told to', () => Promise.resolve(), WITHOUT_FORMS, { restart: true }],
      ['the types of events were changed since', () => Promise.resolve(), new EventConfiguration(['birth', 'death'])],
      ['the schema was changed since', () => database.query(sql`create index added on event_search (type)`)],
      ['its tables were replaced or removed since', () => database.query(sql`drop table event_document_next`)],
      [
        'the database was moved or restored since',
        () => database.query(sql`update reindex_state set origin = jsonb_set(origin, '{database}', '"7 1"')`),
      ],
      [
        'it was begun by a release that derives something else',
        () => database.query(sql`update reindex_state set origin = jsonb_set(origin, '{version}', '"0"')`),
      ],
      [
        'it was begun by an earlier release',
        () => database.query(sql`update reindex_state set origin = origin - 'unicode'`),
      ],
      [
        'it was begun by a Node.js with another Unicode',
        () => database.query(sql`update reindex_state set origin = jsonb_set(origin, '{unicode}', '"1.1"')`),
      ],
      [
        'too much was written since',
        () => database.query(sql`update reindex_state set since = (since::text::numeric + 1e9)::text::xid8`),
      ],
    ];
    for (const [reason, change, configuration, options] of givenUp) {
      await interrupted(amongIndexes);
      await change();
      expect(await resumed(configuration, options)).toEqual({
        said: [`Beginning anew, not going on with an interrupted reindex: ${reason}.`],
        first: 0,
        events: 3,
      });
    }
    expect([await differences(), await left()]).toEqual([[], []]);
  });

  it('is given up when places were added or moved, since its rows may have the terms of other areas', async () => {
    await storeRecords(database, some(3));
    await interrupted(amongIndexes);
    await importLocations(database, COUNTRY, writeAreaTerms);
    expect((await resumed()).said).toEqual([
      'Beginning anew, not going on with an interrupted reindex: places were added or moved since.',
    ]);
    expect(await differences()).toEqual([]);
  });
});
