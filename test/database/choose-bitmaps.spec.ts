import { Jobs } from '../../src/platform/jobs/jobs.js';
import { ChangeFeed } from '../../src/platform/database/connection/change-feed.js';
import { HierarchyCache } from '../../src/auth/locations/hierarchy-cache.js';
import { importLocations } from '../../src/auth/locations/import-locations.js';
import { BitmapKeeper } from '../../src/events/index/statistics/bitmap-keeper.js';
import { buildBitmap, chooseBitmaps, readTracked } from '../../src/events/index/statistics/write-bitmaps.js';
import { readStatistics } from '../../src/events/index/statistics/document-frequencies.js';
import { KnownTerms } from '../../src/events/index/terms/terms.js';
import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { COUNTRY, LAKE, NORTH, OFFICE, SOUTH, WARD } from '../support/areas.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { TERMS } from '../support/terms.js';

const RECORDS = 20_000;

/** Terms, and how many records have them. */
const FREQUENCIES = [
  [2n, RECORDS / 2],
  [4n, RECORDS / 4],
  [6n, RECORDS / 400],
  [8n, RECORDS / 2_500],
  [10n, RECORDS / 5_000],
  // Uncountable.
  [7n, RECORDS / 3],
] as const;

let test: TestDatabase;
let hierarchy: HierarchyCache;

beforeAll(async () => {
  test = await createTestDatabase();
  const [a, b, c, d, e, f] = FREQUENCIES.map(
    ([hash, records]) => sql`case when seq % ${RECORDS / records}::int = 0 then ${hash}::bigint end`,
  );
  await test.database.query(sql`
    with stored as (
      insert into event (id, type, tracking_id, created_at, updated_at)
      select gen_random_uuid(), 'birth', 'T' || n, now(), now() from generate_series(1, ${RECORDS}::int) n returning seq, id, tracking_id
    )
    insert into event_search (seq, id, type, status, tracking_id, created_at, created_by, updated_at, updated_at_location, flags, terms)
    select seq, id, 'birth', 'DECLARED', tracking_id, now(), 'someone', now(),
           case when seq % 10 = 0 then ${OFFICE}::uuid end, '{}',
           array_remove(array[${a}, ${b}, ${c}, ${d}, ${e}, ${f}], null)
      from stored`);
  await importLocations(test.database, COUNTRY);
  hierarchy = new HierarchyCache(test.database, new ChangeFeed(test.database.primary, () => undefined));
  await hierarchy.refresh();
  await test.database.query(sql`analyze event_search`);
});

afterAll(() => test.drop());

const choice = async (reader: Queryable = test.database) => {
  const [statistics, tracked] = [await readStatistics(reader), await readTracked(reader)];
  const { wanted, unwanted } = chooseBitmaps(statistics, tracked, TERMS, hierarchy.places.areas());
  return { wanted: wanted.map(({ term }) => term), unwanted };
};

/** Of the areas around the office, in the one column that names it. */
const ofAreas = (): readonly bigint[] =>
  [NORTH, LAKE, WARD, OFFICE].map((area) => TERMS.ofPlaces('updated_at_location', hierarchy.below(area)));

describe('bitmaps', () => {
  it('are wanted of frequent countable terms, and of areas with many records', async () => {
    expect(await choice()).toEqual({ wanted: [0n, ...ofAreas(), 2n, 4n, 6n], unwanted: [] });
  });

  it('are removed when their terms are not half as frequent as a new one has to be', async () => {
    await test.database.transaction(async (transaction) => {
      for (const term of [8n, 10n, 99n]) await buildBitmap(transaction, { term });
      expect(await choice(transaction)).toEqual({ wanted: [0n, ...ofAreas(), 2n, 4n, 6n], unwanted: [10n, 99n] });
      await transaction.query(sql`truncate bitmap, bitmap_chunk`);
    });
  });

  it('stay as they are where PostgreSQL knows how many records there are, but nothing of them, as when restored', async () => {
    const chosen = await test.database.transaction(async (transaction) => {
      for (const term of [0n, 2n]) await buildBitmap(transaction, { term });
      await transaction.query(sql`delete from pg_statistic where starelid = 'event_search'::regclass`);
      const found = await choice(transaction);
      await transaction.query(sql`truncate bitmap, bitmap_chunk`);
      await transaction.query(sql`analyze event_search`);
      return found;
    });
    expect(chosen).toEqual({ wanted: [], unwanted: [] });
  });

  it('of an area are built anew where a move has changed its places', async () => {
    const keeper = new BitmapKeeper(test.database, hierarchy, new KnownTerms(test.database), new Jobs());
    const built = async () => {
      await keeper.choose();
      const rows = await test.database.query<{ term: string; bits: number }>(
        sql`select term, sum(bit_count(bits))::int as bits from bitmap_chunk group by term`,
      );
      return new Map(rows.map(({ term, bits }) => [BigInt(term), bits]));
    };
    const before = ofAreas();
    const first = await built();
    expect([before.map((term) => first.get(term)), await choice()]).toEqual([
      before.map(() => RECORDS / 10),
      { wanted: [], unwanted: [] },
    ]);
    await importLocations(test.database, { administrativeAreas: [{ id: LAKE, name: 'Lake', partOf: SOUTH }] });
    await hierarchy.refresh();
    const second = await built();
    const [north = 0n] = before;
    const south = TERMS.ofPlaces('updated_at_location', hierarchy.below(SOUTH));
    expect([second.get(south), second.get(north), await choice()]).toEqual([
      RECORDS / 10,
      undefined,
      { wanted: [], unwanted: [] },
    ]);
  });
});
