import type { Database } from '../../src/platform/database/pools/database.js';
import { answerIn } from '../../src/events/index/values/document.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { writeRecords } from '../../src/events/records/write-records.js';
import { reindex } from '../../src/events/reindex/reindex.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRegisteredStatus } from '../support/builders/a-legal-status.js';
import { aRecord } from '../support/builders/a-record.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { anInstant } from '../support/builders/an-instant.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { prepareEvent } from '../support/prepare-event.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let test: TestDatabase;
let database: Database;

beforeEach(async () => {
  test = await createTestDatabase();
  ({ database } = test);
});
afterEach(() => test.drop());

/** Everything that is derived from the events, whatever order it is stored in. */
async function derived(): Promise<unknown> {
  const [all] = await database.query<{ all: unknown }>(sql`
    select jsonb_build_object(
      'search', (select jsonb_agg(event_search order by seq) from event_search),
      'documents', (select jsonb_agg(event_document order by seq) from event_document),
      'words', (select jsonb_agg(jsonb_build_array(path_id, word) order by path_id, word collate "C") from fuzzy_word),
      'shapes', (select jsonb_agg(jsonb_build_array(path_id, aspect) order by path_id, aspect collate "C") from data_shape)) as all`);
  return all?.all;
}

/** What a catalogue says of the tables beside their object ids, and of everything that belongs to them. */
async function catalogue(): Promise<unknown> {
  const [all] = await database.query<{ all: unknown }>(sql`
    with live as (select * from pg_class where oid in ('event_search'::regclass, 'event_document'::regclass))
    select jsonb_build_object(
      'tables', (select jsonb_agg(jsonb_build_array(live.relname, live.reloptions, live.relpersistence, live.relacl,
                    live.relowner, live.relreplident, toast.reloptions, obj_description(live.oid)) order by live.relname)
                   from live left join pg_class as toast on toast.oid = live.reltoastrelid),
      'columns', (select jsonb_agg(jsonb_build_array(relname, attname, format_type(atttypid, atttypmod), attnotnull,
                    attstattarget, attstorage, attcompression, attacl, attcollation, atthasdef, col_description(attrelid, attnum))
                    order by relname, attnum) from pg_attribute join live on live.oid = attrelid where attnum > 0),
      'indexes', (select jsonb_agg(jsonb_build_array(pg_get_indexdef(indexrelid), reloptions, indisvalid, indisprimary,
                    indisclustered, indisreplident) order by relname)
                   from pg_index join pg_class on pg_class.oid = indexrelid where indrelid in (select oid from live)),
      'constraints', (select jsonb_agg(jsonb_build_array(conname, pg_get_constraintdef(oid), convalidated) order by conname)
                   from pg_constraint where conrelid in (select oid from live)),
      'triggers', (select jsonb_agg(pg_get_triggerdef(oid) order by tgname)
                   from pg_trigger where tgrelid in (select oid from live) and not tgisinternal),
      'statistics', (select jsonb_agg(pg_get_statisticsobjdef(oid)) from pg_statistic_ext where stxrelid in (select oid from live)),
      'relations', (select jsonb_agg(relname order by relname) from pg_class
                     where relnamespace = 'public'::regnamespace),
      'functions', (select jsonb_agg(proname order by proname) from pg_proc where pronamespace = 'public'::regnamespace)) as all`);
  return all?.all;
}

const minute = (n: number) => anInstant(`2026-02-01T10:${String(n).padStart(2, '0')}:00Z`);

/** An event of each kind of history that there can be. */
async function storeEveryKind(): Promise<void> {
  const create = anAction({ type: 'CREATE', createdAt: minute(1) });
  const notify = anAction({ type: 'NOTIFY', createdAt: minute(2), declaration: { 'child.nickname': 'Bwalya Mumba' } });
  const assign = anAction({ type: 'ASSIGN', createdAt: minute(3), assignedTo: 'someone' });
  const written = anEventDocument({ actions: [create, notify] });
  const imported = aRecord({ flags: ['custom', 'rejected'], updatedAt: minute(5) });
  const replaced = anEventDocument({ actions: [create, notify, assign] });
  const replacement = aRecord({ ...idsOf(replaced), flags: ['custom', 'rejected'], updatedAt: minute(9) });
  const later = anAction({ type: 'ASSIGN', createdAt: minute(10), assignedTo: 'someone else' });
  const actions = anEventDocument({ ...idsOf(imported), actions: [create, later] });
  for (const incoming of [
    { kind: 'document', document: written },
    { kind: 'record', record: aRecord({ legalStatuses: { DECLARED: null, REGISTERED: aRegisteredStatus() } }) },
    { kind: 'record', record: imported },
    { kind: 'document', document: actions },
    { kind: 'document', document: replaced },
    { kind: 'record', record: replacement },
  ] as const) {
    await database.transaction((transaction) => writeRecords(transaction, [prepareEvent(incoming, WITHOUT_FORMS)]));
  }
}

const idsOf = ({ id, trackingId }: { id: EventRecord['id']; trackingId: string }) => ({ id, trackingId });

describe('reindex', () => {
  it('derives what was there already', async () => {
    await storeEveryKind();
    const before = await derived();
    expect(await reindex(database, WITHOUT_FORMS)).toBe(4);
    expect(await derived()).toEqual(before);
  });

  it('mends what was damaged', async () => {
    await storeEveryKind();
    const before = await derived();
    await database.query(sql`update event_search set status = 'ARCHIVED', terms = '{1,2}', flags = '{x}'`);
    await database.query(sql`update event_document set body = ${answerIn(sql`body`)}`);
    await database.query(
      sql`delete from event_document where exists (select from event_history where event_seq = event_document.seq)`,
    );
    await database.query(sql`delete from event_search where seq = (select min(seq) from event)`);
    for (const table of [sql`fuzzy_word`, sql`data_shape`]) {
      await database.query(sql`delete from ${table}`);
    }
    expect(await derived()).not.toEqual(before);
    await reindex(database, WITHOUT_FORMS);
    expect(await derived()).toEqual(before);
  });

  it('works on an empty database', async () => {
    expect(await reindex(database, WITHOUT_FORMS)).toBe(0);
  });

  it('leaves the schema as it was', async () => {
    await storeEveryKind();
    await database.query(sql`grant select on event_search to public`);
    await database.query(sql`create function noticed() returns trigger language plpgsql as 'begin return null; end'`);
    await database.query(sql`create trigger noticed after update of status on event_search
                               for each row when (old.status <> new.status) execute function noticed()`);
    const before = await catalogue();
    await reindex(database, WITHOUT_FORMS);
    expect(await catalogue()).toEqual(before);
  });

  it('fails when a record cannot be read, naming its event, and leaves everything as it was', async () => {
    await storeEveryKind();
    const [event] = await database.query<{ id: string }>(
      sql`update event_history set actions = '[{"type":"NONE"}]' from event
           where event.seq = event_seq and position = 0 returning event.id`,
    );
    const [before, schema] = [await derived(), await catalogue()];
    await expect(reindex(database, WITHOUT_FORMS)).rejects.toThrow(
      `event ${event?.id ?? ''}: a stored action cannot be read`,
    );
    expect([await derived(), await catalogue()]).toEqual([before, schema]);
  });

  it('refuses to begin where something refers to the tables, and leaves everything as it was', async () => {
    await database.query(sql`create view seen as select status from event_search`);
    const schema = await catalogue();
    await expect(reindex(database, WITHOUT_FORMS)).rejects.toThrow('because seen refer to them');
    expect(await catalogue()).toEqual(schema);
  });
});
