import { readFileSync } from 'node:fs';
import { EVERY_TERM } from '../../src/events/index/bitmaps/bitmap.js';
import { UPDATE_SLICES } from '../../src/events/index/bitmaps/update-period.js';
import { beginBitmaps, buildPart } from '../../src/events/index/bitmaps/build-bitmaps.js';
import { forgetBitmap } from '../../src/events/index/bitmaps/write-bitmaps.js';
import { termOfMetadata } from '../../src/events/index/terms/metadata-terms.js';
import { importRecords } from '../../src/events/import/import-records.js';
import { type Sql, sql } from '../../src/kernel/sql/sql.js';
import { untilLocksAreAwaited } from '../support/database-activity.js';
import { aRecord } from '../support/builders/a-record.js';
import { anInstant } from '../support/builders/an-instant.js';
import { ndjson } from '../support/ndjson.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { applyMarks, buildWithSlices, updated, wrongBits } from '../support/slices.js';
import { storeRecords } from '../support/store-records.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

beforeEach(() => test.database.query(sql`truncate event, facet, facet_bitmap, facet_dirty cascade`));

/** The statements that lead back to an earlier release. */
function goingBack(): string {
  const text = readFileSync('docs/operations.md', 'utf8');
  const [, statements] = /```sql\n(begin;\nalter table facet_dirty disable[^`]*)```/.exec(text) ?? [];
  if (statements === undefined) throw new Error('operations.md has no statements');
  return statements;
}

describe('the slices', () => {
  it('are not removed by a release that does not know of them', async () => {
    await storeRecords(test.database, [aRecord()]);
    const { hash: term } = termOfMetadata('type', aRecord().type);
    await buildWithSlices(test.database, [term]);
    await expect(test.database.query(sql`delete from facet where term = -3`)).rejects.toMatchObject({ code: '53M01' });
    await test.database.transaction((transaction) => forgetBitmap(transaction, term));
    const kept = await test.database.query<{ term: string }>(sql`select term::text from facet order by facet.term`);
    expect(kept.map(({ term }) => BigInt(term))).toEqual([...UPDATE_SLICES.toReversed(), EVERY_TERM]);
  });
});

describe('a release that does not know of bitmaps that are begun', () => {
  const asBefore = (statement: Sql) =>
    test.database.transaction(async (transaction) => {
      await transaction.query(sql`select set_config('matricula.bitmaps', 'update slices', true)`);
      await transaction.query(statement);
    });

  it('neither makes bitmaps, nor removes slices, nor applies marks', async () => {
    await storeRecords(test.database, [aRecord()]);
    await buildWithSlices(test.database, []);
    await storeRecords(test.database, [aRecord()]);
    const statements = [sql`insert into facet (term) values (7)`, sql`delete from facet`, sql`delete from facet_dirty`];
    for (const statement of statements) {
      await expect(asBefore(statement)).rejects.toMatchObject({ code: '53M01' });
    }
    expect([await applyMarks(test.database), await wrongBits(test.database)]).toEqual([1, []]);
  });

  it('may be gone back to while a part is being made, by the statements of the documentation', async () => {
    await storeRecords(test.database, [aRecord()]);
    // Too far for one part.
    await test.database.query(sql`select setval(pg_get_serial_sequence('event', 'seq'), 200000)`);
    await storeRecords(test.database, [aRecord()]);
    await test.database.transaction((transaction) => beginBitmaps(transaction, [EVERY_TERM, ...UPDATE_SLICES]));
    const back = goingBack().replace(/delete from facet where [^;]*;/, '');
    let gone: Promise<unknown> = Promise.resolve();
    try {
      await test.database.transaction(async (transaction) => {
        await buildPart(transaction);
        gone = test.dataSource.query(back);
        await untilLocksAreAwaited(test.database);
      });
      await gone;
      const bits = await test.database.query(sql`select from facet_bitmap where term not in (select term from facet)`);
      expect([bits, await test.database.query(sql`select from facet_begun`)]).toEqual([[], []]);
    } finally {
      await test.dataSource.query(back.replaceAll('disable', 'enable'));
    }
    await expect(asBefore(sql`delete from facet_dirty`)).rejects.toMatchObject({ code: '53M01' });
  });

  it('leaves nothing begun when it empties the tables at the end of a reindex', async () => {
    await storeRecords(test.database, [aRecord()]);
    await test.database.transaction((transaction) => beginBitmaps(transaction, [7n]));
    await asBefore(sql`truncate facet, facet_bitmap, facet_dirty`);
    expect(await test.database.query(sql`select from facet_begun`)).toEqual([]);
  });
});

describe('marks of writers', () => {
  it('are not applied by a release that does not know of the slices', async () => {
    await storeRecords(test.database, [aRecord()]);
    await buildWithSlices(test.database, []);
    await storeRecords(test.database, [aRecord()]);
    await expect(test.database.query(sql`delete from facet_dirty`)).rejects.toMatchObject({ code: '53M01' });
    expect([await applyMarks(test.database), await wrongBits(test.database)]).toEqual([1, []]);
  });

  it('say when their records were updated before; where they do not, all slices are written', async () => {
    const [one, two] = [aRecord({ updatedAt: anInstant('2012-06-30T12:00:00Z') }), aRecord()];
    await storeRecords(test.database, [one, two]);
    await buildWithSlices(test.database, []);
    await importRecords(test.database, WITHOUT_FORMS, ndjson([updated(one, anInstant('2025-12-31T23:59:59Z'))]));
    await storeRecords(test.database, [aRecord()]);
    const marks = sql`select updated_at::text from facet_dirty order by seq, updated_at`;
    expect(await test.database.query(marks)).toEqual([
      { updated_at: '2012-06-30 12:00:00+00' },
      { updated_at: '-infinity' },
    ]);
    await test.database.query(sql`update facet_dirty set updated_at = null`);
    expect([await applyMarks(test.database), await wrongBits(test.database)]).toEqual([2, []]);
  });

  it('of a record that moves before all periods, and do not say from where, take its bits there', async () => {
    const one = aRecord({ updatedAt: anInstant('2020-06-30T12:00:00Z') });
    await storeRecords(test.database, [one]);
    await buildWithSlices(test.database, []);
    await importRecords(test.database, WITHOUT_FORMS, ndjson([updated(one, anInstant('1999-06-30T12:00:00Z'))]));
    await test.database.query(sql`update facet_dirty set updated_at = null`);
    expect([await applyMarks(test.database), await wrongBits(test.database)]).toEqual([1, []]);
  });
});
