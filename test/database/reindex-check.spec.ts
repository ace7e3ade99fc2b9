import type { Database } from '../../src/platform/database/pools/database.js';
import { demoRecords } from '../../demo/demo-records.js';
import { buildBitmap, foldDirty } from '../../src/events/index/statistics/write-bitmaps.js';
import { TERMS } from '../support/terms.js';
import { answerIn } from '../../src/events/index/values/document.js';
import { importRecords } from '../../src/events/import/import-records.js';
import { SEARCH_COLUMNS } from '../../src/events/records/record-row.js';
import { writeRecords } from '../../src/events/records/write-records.js';
import { checkDerived, type CheckResult } from '../../src/events/reindex/check-derived.js';
import { reindex } from '../../src/events/reindex/reindex.js';
import { type Sql, sql } from '../../src/kernel/sql/sql.js';
import { aCalendarDate } from '../support/builders/a-calendar-date.js';
import { aRecord } from '../support/builders/a-record.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { ndjson } from '../support/ndjson.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { prepareEvent } from '../support/prepare-event.js';
import { storeRecords } from '../support/store-records.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let test: TestDatabase;
let database: Database;
beforeEach(async () => {
  test = await createTestDatabase();
  ({ database } = test);
  await storeRecords(database, [aRecord(), damaged, aRecord()]);
  await database.transaction((transaction) =>
    writeRecords(transaction, [prepareEvent({ kind: 'document', document: history }, WITHOUT_FORMS)]),
  );
  await database.transaction(async (transaction) => {
    for (const term of [0n, TERMS.ofMetadata('type', 'birth')]) await buildBitmap(transaction, { term });
    await foldDirty(transaction, 1_000);
  });
});
afterEach(() => test.drop());

const { declaration } = aRecord();
const damaged = aRecord({
  id: aUuid(0xd),
  flags: ['one', 'two'],
  declaration: { ...declaration, 'child.aliases': ['Bwalya Mumba', 'Chanda Zulu'] },
});
const history = anEventDocument({ id: aUuid(0xe) });

const clean: CheckResult = { events: 4, differences: [] };

/** What is found after a damage. */
async function after(...damages: readonly Sql[]): Promise<CheckResult['differences']> {
  expect(await checkDerived(database, WITHOUT_FORMS)).toEqual(clean);
  for (const damage of damages) await database.query(damage);
  const { differences } = await checkDerived(database, WITHOUT_FORMS);
  return differences;
}

const found = (kind: string, ...events: readonly string[]) => ({ kind, count: events.length, events });

const SEQ = sql`(select seq from event where id = ${damaged.id})`;

/** Something else for a column, or for one of each type. */
const OTHERS: Readonly<Record<string, Sql>> = {
  flags: sql`'{two,one}'`,
  terms: sql`terms[2:] || 1::bigint`,
  'uuid[]': sql`'00000000-0000-4000-8000-0000000000ff'`,
  'timestamptz[]': sql`'2020-01-01'`,
  'date[]': sql`'2020-01-01'`,
  'text[]': sql`'another'`,
};

describe('reindex --check', () => {
  it('finds another value in any column of event_search', async () => {
    await database.query(sql`create table whole as select * from event_search where seq = ${SEQ}`);
    const differences: unknown[] = [];
    for (const { name, sent } of SEARCH_COLUMNS) {
      const other = OTHERS[name.toQuery().text] ?? OTHERS[sent.toQuery().text] ?? sql`null`;
      differences.push(...(await after(sql`update event_search set ${name} = ${other} where seq = ${SEQ}`)));
      await database.query(
        sql`update event_search as live set ${name} = whole.${name} from whole where live.seq = whole.seq`,
      );
    }
    // Bitmaps are compared with the terms, the last column.
    expect(differences).toEqual([
      ...SEARCH_COLUMNS.map(({ name }) => found(`event_search.${name.toQuery().text}`, damaged.id)),
      found('bitmap_chunk', damaged.id),
    ]);
  });

  it('finds a missing term and one too many, but does not mind their order', async () => {
    expect(
      await after(
        sql`update event_search set terms = array(select unnest(terms) as term order by term desc) where seq = ${SEQ}`,
      ),
    ).toEqual([]);
    await database.query(sql`update event_search set terms = terms[2:] where seq = ${SEQ}`);
    expect((await checkDerived(database, WITHOUT_FORMS)).differences).toEqual([
      found('event_search.terms', damaged.id),
    ]);
    await reindex(database, WITHOUT_FORMS);
    expect(await after(sql`update event_search set terms = terms || 1::bigint where seq = ${SEQ}`)).toEqual([
      found('event_search.terms', damaged.id),
    ]);
  });

  it('finds rows that are missing', async () => {
    expect(
      await after(
        sql`delete from event_search where seq = ${SEQ}`,
        sql`delete from event_document where seq = (select seq from event where id = ${history.id})`,
      ),
    ).toEqual([
      found('event_search: no row', damaged.id),
      found('event_document: no row', history.id),
      found('bitmap_chunk', damaged.id),
    ]);
  });

  it('finds another answer and other facts', async () => {
    expect(
      await after(
        sql`update event_document set body = replace(body, '"birth"', '"death"')
             where seq = (select seq from event where id = ${history.id})`,
        sql`update event_document set body = ${answerIn(sql`body`)} where seq = ${SEQ}`,
      ),
    ).toEqual([found('event_document.body: facts', damaged.id), found('event_document.body', history.id)]);
  });

  it('finds facts where nothing is declared, also of a record that is looked at alone', async () => {
    const bare = aRecord({ declaration: {} });
    await database.query(sql`delete from event`);
    await storeRecords(database, [bare]);
    await database.query(sql`update event_document set body = body || '"child.nid":"1"'`);
    expect((await checkDerived(database, WITHOUT_FORMS)).differences).toContainEqual(
      found('event_document.body: facts', bare.id),
    );
  });

  const ofEach = (kind: string, count = 3) => ({
    kind,
    count,
    events: expect.arrayContaining([damaged.id]) as unknown,
  });

  it.each([
    ['words', sql`delete from fuzzy_word where word = 'musonda'`, [ofEach('fuzzy_word')]],
    ['keys of words', sql`delete from fuzzy_key where word = 'musonda'`, [ofEach('fuzzy_key')]],
    ['kinds of values', sql`delete from data_shape where aspect = 'nameWord'`, [ofEach('data_shape')]],
    ['paths', sql`update fuzzy_path set path = path || 'x'`, [ofEach('fuzzy_word'), ofEach('data_shape')]],
  ])('finds %s that searches would not know of', async (_, damage, differences) => {
    expect(await after(damage)).toEqual(differences);
  });

  it('finds nothing in what an import of several batches has written', async () => {
    const lines = demoRecords({ seed: 1, count: 600, until: aCalendarDate('2026-01-31') });
    await importRecords(database, WITHOUT_FORMS, ndjson([...lines]));
    expect(await checkDerived(database, WITHOUT_FORMS)).toEqual({ events: 604, differences: [] });
  });

  it('finds nothing where an imported record has been read, in whatever order its flags came', async () => {
    const record = aRecord({ flags: ['country', 'incomplete', 'register:requested'] });
    await storeRecords(database, [record]);
    const { id, type, trackingId } = record;
    const document = anEventDocument({ id, type, trackingId, actions: [anAction({ type: 'READ' })] });
    await database.transaction((transaction) =>
      writeRecords(transaction, [prepareEvent({ kind: 'document', document }, WITHOUT_FORMS)]),
    );
    const stored = await database.query(sql`select from event_history join event on seq = event_seq where id = ${id}`);
    expect(stored).toHaveLength(1);
    expect(await checkDerived(database, WITHOUT_FORMS)).toEqual({ events: 5, differences: [] });
  });

  it('finds bits that are set or missing, unless the record is marked', async () => {
    const position = sql`(${SEQ} % 15360)::int`;
    const flip = sql`update bitmap_chunk set bits = set_bit(bits, ${position}, 1 - get_bit(bits, ${position}))
                      where term = ${TERMS.ofMetadata('type', 'birth')}::bigint`;
    expect(await after(flip)).toEqual([found('bitmap_chunk', damaged.id)]);
    await database.query(sql`insert into bitmap_dirty (seq, terms, places) values (${SEQ}, '{}', '{}')`);
    expect(await checkDerived(database, WITHOUT_FORMS)).toEqual(clean);
    await database.query(
      sql`insert into bitmap_chunk (term, chunk, bits) values (0, 9, set_bit('0'::bit(15360), 7, 1))`,
    );
    expect((await checkDerived(database, WITHOUT_FORMS)).differences).toEqual([
      found('bitmap_chunk', `seq ${9 * 15360 + 7}`),
    ]);
  });

  it('finds records that cannot be read or are those of another event', async () => {
    expect(
      await after(
        sql`update event set tracking_id = 'ZZZZZZ' where id = ${damaged.id}`,
        sql`update event_history set actions = '[{}]'`,
      ),
    ).toEqual([found('event', damaged.id), found('event: cannot be read', history.id)]);
  });

  it('counts all of a kind and names the first', async () => {
    await storeRecords(
      database,
      Array.from({ length: 20 }, () => aRecord()),
    );
    await database.query(sql`update event_search set status = 'ARCHIVED'`);
    const { events, differences } = await checkDerived(database, WITHOUT_FORMS);
    expect(events).toBe(24);
    expect(differences).toEqual([{ kind: 'event_search.status', count: 24, events: expect.any(Array) as unknown }]);
    expect(differences[0]?.events).toHaveLength(10);
  });
});
