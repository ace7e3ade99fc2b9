import { forgetBitmap } from '../../src/events/index/bitmaps/write-bitmaps.js';
import { importRecords } from '../../src/events/import/import-records.js';
import { bitmapTermsOf } from '../../src/events/search/plan/bitmap-terms.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { anInstant } from '../support/builders/an-instant.js';
import { aRecord } from '../support/builders/a-record.js';
import { CountedSearches, FREQUENT, RARE, shown } from '../support/counted-searches.js';
import { ndjson } from '../support/ndjson.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { storeRecords } from '../support/store-records.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let test: TestDatabase;
let searches: CountedSearches;

beforeAll(async () => {
  test = await createTestDatabase();
  searches = new CountedSearches(test.database);
});
afterAll(() => test.drop());

const { type } = aRecord();
const other = `not-${type}`;
const [one, two, three] = [aRecord(), aRecord(), aRecord({ type: other })];

/** Two records of a type and one of another, none of them marked. */
beforeEach(async () => {
  await test.database.query(sql`truncate event, bitmap, bitmap_begun, bitmap_chunk, bitmap_dirty cascade`);
  await storeRecords(test.database, [one, two, three]);
  await searches.buildBitmaps([...(await searches.termsIn('records'))]);
  await test.database.query(sql`truncate bitmap_dirty`);
});

const ofType = () => searches.compiled({ body: { query: { clauses: [{ eventType: type }] } } });

/** Records from this `seq` on. */
const storeFrom = async (seq: number): Promise<void> => {
  await test.database.query(sql`select setval(pg_get_serial_sequence('event', 'seq'), ${seq}::bigint)`);
  await storeRecords(test.database, [aRecord()]);
};

describe('a walk to a page by bitmaps', () => {
  it('reads entries of the index alone', async () => {
    const plan = searches.plannedWith(await ofType(), await searches.termsIn('bitmaps'));
    const texts: string[] = [];
    const found = await searches.counted(plan, {
      query: (statement) => {
        texts.push(statement.toQuery().text);
        return test.database.query(statement);
      },
    });
    expect([texts.length, texts[0]?.includes('(select seq, id, updated_at from event_search')]).toEqual([1, true]);
    expect(found && shown(found)).toEqual(await searches.allOf(plan.search));
  });

  it('has those that an index finds beside those of bitmaps, where a rare term has none', async () => {
    const body = { query: { type: 'or', clauses: [{ eventType: type }, { eventType: other }] } };
    const either = await searches.compiled({ body });
    const [, rare] = bitmapTermsOf(either.matches).terms;
    const tracked = new Set([...(await searches.termsIn('bitmaps'))].filter((term) => term !== rare));
    const plan = searches.plannedWith(either, tracked, (term) => (term === rare ? RARE : FREQUENT));
    const found = await searches.counted(plan);
    expect([found && shown(found), found?.total]).toEqual([await searches.allOf(either), 3]);
  });

  it('has what was written since, also behind all bits, and not what matches no more', async () => {
    const tracked = await searches.termsIn('bitmaps');
    const changed = [
      { ...one, type: other },
      { ...three, type },
    ];
    await importRecords(test.database, WITHOUT_FORMS, ndjson(changed));
    await storeFrom(40_000);
    const plan = searches.plannedWith(await ofType(), tracked);
    const found = await searches.counted(plan);
    expect([found && shown(found), found?.total]).toEqual([await searches.allOf(plan.search), 3]);
  });

  it('goes over rows of bits that are missing', async () => {
    const far = [60_000, 200_000, 200_001];
    for (const seq of far) await storeFrom(seq);
    const tracked = await searches.termsIn('bitmaps');
    await test.database.transaction(async (transaction) => {
      for (const term of tracked) await forgetBitmap(transaction, term);
    });
    await searches.buildBitmaps([...(await searches.termsIn('records'))]);
    await test.database.query(sql`truncate bitmap_dirty`);
    const plan = searches.plannedWith(await ofType(), await searches.termsIn('bitmaps'));
    const found = await searches.counted(plan);
    expect([found && shown(found), found?.total]).toEqual([await searches.allOf(plan.search), 2 + far.length]);
  });

  describe('to a page of 60, of 120 records of a type and 80 of another', () => {
    const later = { updatedAt: anInstant('2026-02-01T00:00:00Z') };
    const bounds = { slack: 4, least: 50 };
    const page = async (latest: string, { records = 200, walk = bounds } = {}) => {
      const of = (one: string, times = one === type ? 120 : 80) => Array.from({ length: times }, () => one);
      await test.database.query(sql`truncate event, bitmap, bitmap_begun, bitmap_chunk, bitmap_dirty cascade`);
      await storeRecords(test.database, [
        ...of(latest).map((one) => aRecord({ type: one, ...later })),
        ...of(latest === type ? other : type).map((one) => aRecord({ type: one })),
      ]);
      await searches.buildBitmaps([...(await searches.termsIn('records'))]);
      const search = await searches.compiled({ body: { query: { clauses: [{ eventType: type }] }, limit: 60 } });
      const plan = searches.plannedWith(search, await searches.termsIn('bitmaps'), () => records, records);
      const found = await searches.counted(plan, test.database, walk);
      return { found: found && shown(found), all: await searches.allOf(search) };
    };

    it('goes on where its first quarter has some of them', async () => {
      const { found, all } = await page(type);
      expect([found, found?.bodies.length]).toEqual([all, 60]);
    });

    it('ends where its first quarter has none', async () => {
      expect((await page(other)).found).toBeUndefined();
    });

    it('goes on all the same where it is short', async () => {
      const { found, all } = await page(other, { walk: { ...bounds, least: 2_000 } });
      expect([found, found?.bodies.length]).toEqual([all, 60]);
    });

    it('does not begin where it is expected to pass more than three entries for each match', async () => {
      expect((await page(type, { records: 1_000 })).found).toBeUndefined();
    });
  });
});
