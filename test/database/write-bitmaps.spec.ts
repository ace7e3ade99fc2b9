import { buildBitmap, foldDirty } from '../../src/events/index/statistics/write-bitmaps.js';
import { TERMS } from '../support/terms.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { importRecords } from '../../src/events/import/import-records.js';
import { checkDerived } from '../../src/events/reindex/check-derived.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { aRecord } from '../support/builders/a-record.js';
import { deleteRecords } from '../support/delete-records.js';
import { ndjson } from '../support/ndjson.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.drop());

const store = (...records: readonly EventRecord[]) => importRecords(test.database, WITHOUT_FORMS, ndjson(records));

const fold = () => test.database.transaction((transaction) => foldDirty(transaction, 1_000));

/** Makes bitmaps of all terms that there are, and of every record. */
const trackEverything = () =>
  test.database.transaction(async (transaction) => {
    const terms = await transaction.query<{ term: string }>(
      sql`select distinct unnest(terms) as term from event_search union select 0`,
    );
    for (const { term } of terms) await buildBitmap(transaction, { term: BigInt(term) });
    await foldDirty(transaction, 1_000);
  });

/** Where each bitmap's row lies: elsewhere once it has been written again. */
const places = async (): Promise<ReadonlyMap<string, string>> => {
  const rows = await test.database.query<{ term: string; place: string }>(
    sql`select term, ctid::text as place from bitmap_chunk`,
  );
  return new Map(rows.map(({ term, place }) => [term, place]));
};

async function rewrittenBy(work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = await places();
  await work();
  await fold();
  return [...(await places())].filter(([term, place]) => before.get(term) !== place).map(([term]) => term);
}

describe('folding marks into bitmaps', () => {
  it('writes those alone of which a bit changes', async () => {
    const [record, other] = [aRecord({ status: 'DECLARED' }), aRecord({ status: 'ARCHIVED' })];
    await store(record, other);
    await trackEverything();
    const ofStatus = ['DECLARED', 'ARCHIVED'].map((status) => String(TERMS.ofMetadata('status', status))).toSorted();
    for (const status of ['ARCHIVED', 'DECLARED'] as const) {
      expect((await rewrittenBy(() => store({ ...record, status }))).toSorted()).toEqual(ofStatus);
    }
    expect((await checkDerived(test.database, WITHOUT_FORMS)).differences).toEqual([]);
  });

  it('sets and clears all bits that changed since, whatever came and went between', async () => {
    const record = aRecord({ flags: ['a', 'b'] });
    await store(record, aRecord({ flags: ['c', 'd'] }));
    await trackEverything();
    const changed = await rewrittenBy(async () => {
      await store({ ...record, flags: ['b', 'c'] });
      await store({ ...record, flags: ['a', 'c'] });
      await store({ ...record, flags: ['c', 'd'] });
    });
    expect(changed.toSorted()).toEqual(
      ['a', 'b', 'c', 'd'].map((flag) => String(TERMS.ofMetadata('flag', flag))).toSorted(),
    );
    expect((await checkDerived(test.database, WITHOUT_FORMS)).differences).toEqual([]);
  });

  it('is told of a change by the terms alone that have gone', async () => {
    const record = aRecord({ status: 'DECLARED', flags: ['a'] });
    await store(record);
    await fold();
    await store({ ...record, status: 'ARCHIVED' });
    expect(await test.database.query(sql`select terms from bitmap_dirty`)).toEqual([
      { terms: [String(TERMS.ofMetadata('status', 'DECLARED'))] },
    ]);
  });

  it('clears every bit of an event that is deleted, also the one that every record has', async () => {
    const record = aRecord();
    await store(record, aRecord());
    await trackEverything();
    await test.database.transaction(async (transaction) => {
      await deleteRecords(transaction, [record.id]);
    });
    await fold();
    const left = await test.database.query(
      sql`select distinct sum(bit_count(bits))::int as bits from bitmap_chunk group by term`,
    );
    expect(left).toEqual([{ bits: 1 }]);
    expect((await checkDerived(test.database, WITHOUT_FORMS)).differences).toEqual([]);
  });

  it('makes a row where a bitmap has none yet', async () => {
    await store(aRecord());
    await trackEverything();
    await test.database.query(sql`select setval(pg_get_serial_sequence('event', 'seq'), 20000)`);
    await store(aRecord());
    await fold();
    expect((await checkDerived(test.database, WITHOUT_FORMS)).differences).toEqual([]);
    const [rows] = await test.database.query<{ chunks: number }>(
      sql`select count(*)::int as chunks from bitmap_chunk where term = 0`,
    );
    expect(rows).toEqual({ chunks: 2 });
  });

  it('moves the bit of a record from the areas of one place to those of another', async () => {
    const [north, south] = [
      [aUuid(1), aUuid(2)],
      [aUuid(3), aUuid(4)],
    ];
    const record = aRecord({ updatedAtLocation: aUuid(1), createdAtLocation: aUuid(4) });
    await store(record, aRecord({ updatedAtLocation: aUuid(3) }));
    await test.database.transaction(async (transaction) => {
      for (const [term, places] of [
        [2n, north],
        [4n, south],
      ] as const) {
        await buildBitmap(transaction, { term, area: { column: 'updated_at_location', places } });
      }
    });
    await fold();
    const bits = () =>
      test.database.query(sql`select term::int, bit_count(bits)::int as records from bitmap_chunk order by term`);
    const before = await bits();
    await store({ ...record, updatedAtLocation: aUuid(4) });
    await fold();
    expect([before, await bits()]).toEqual([
      [
        { term: 2, records: 1 },
        { term: 4, records: 1 },
      ],
      [
        { term: 2, records: 0 },
        { term: 4, records: 2 },
      ],
    ]);
    expect((await checkDerived(test.database, WITHOUT_FORMS)).differences).toEqual([]);
  });
});
