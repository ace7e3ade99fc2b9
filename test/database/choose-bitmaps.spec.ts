import { Jobs } from '../../src/platform/jobs/jobs.js';
import { BitmapKeeper } from '../../src/events/index/bitmaps/bitmap-keeper.js';
import { chooseBitmaps, stateOfChoice } from '../../src/events/index/bitmaps/choose-bitmaps.js';
import { periodAt, slicesIn, UPDATE_SLICES } from '../../src/events/index/bitmaps/update-period.js';
import { beginBitmaps, buildBitmap } from '../../src/events/index/bitmaps/build-bitmaps.js';
import { areaTerm } from '../../src/events/index/areas/area-terms.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { eventually } from '../support/eventually.js';

const RECORDS = 20_000;

/** Terms, how many records have them, and their texts as `term` has them. */
const TERMS = [
  [1n, RECORDS / 2, 'flag=printed'],
  [2n, RECORDS / 400, 'flag=sealed'],
  [3n, RECORDS / 5_000, 'flag=lost'],
  [4n, RECORDS / 4, 'text 12 child.gender female'],
  [5n, RECORDS / 80, 'text 12 mother.occupation smith'],
  [6n, RECORDS / 2_500, 'text 12 mother.occupation sailor'],
  // Nobody knows what else has its hash.
  [7n, RECORDS / 3, undefined],
] as const;

/** Every record, and the slices of updates. */
const ALWAYS = [0n, ...UPDATE_SLICES];

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
  const terms = TERMS.map(
    ([hash, records]) => sql`case when seq % ${RECORDS / records}::int = 0 then ${hash}::bigint end`,
  );
  await test.database.query(sql`
    with stored as (
      insert into event (id, type, tracking_id, created_at, updated_at)
      select gen_random_uuid(), 'birth', 'T' || n, now(), now() from generate_series(1, ${RECORDS}::int) n returning seq, id, tracking_id
    )
    insert into event_search (seq, id, type, status, tracking_id, created_at, created_by, updated_at, flags, terms)
    select seq, id, 'birth', 'DECLARED', tracking_id, now(), 'someone', now(), '{}',
           array_remove(array[${terms[0]}, ${terms[1]}, ${terms[2]}, ${terms[3]}, ${terms[4]}, ${terms[5]}, ${terms[6]}], null)
      from stored`);
  for (const [hash, , text] of TERMS) {
    if (text !== undefined) await test.database.query(sql`insert into term (hash, text) values (${hash}, ${text})`);
  }
  await test.database.query(sql`analyze event_search`);
});

afterAll(() => test.drop());

describe('bitmaps', () => {
  it('are wanted of frequent terms whose text is known', async () => {
    expect(await chooseBitmaps(test.database)).toEqual({ wanted: [...ALWAYS, 1n, 2n, 4n, 5n], unwanted: [] });
  });

  it('are taken away when their terms are not half as frequent as a term must be that gets one', async () => {
    await test.database.transaction(async (transaction) => {
      for (const term of [3n, 6n, 99n]) await buildBitmap(transaction, term);
      expect(await chooseBitmaps(transaction)).toEqual({
        wanted: [...ALWAYS, 1n, 2n, 4n, 5n],
        unwanted: [3n, 99n],
      });
    });
  });

  it('of the slices of updates are built together, where the others are there', async () => {
    await test.database.query(sql`truncate bitmap, bitmap_begun, bitmap_chunk`);
    await test.database.transaction(async (transaction) => {
      for (const term of [0n, 1n, 2n, 4n, 5n]) await buildBitmap(transaction, term);
    });
    const keeper = new BitmapKeeper(test.database, new Jobs());
    await keeper.choose();
    const begun = await test.database.query<{ term: string }>(
      sql`select term from bitmap_begun order by bitmap_begun.term desc`,
    );
    expect(begun.map(({ term }) => BigInt(term))).toEqual(UPDATE_SLICES);
    await keeper.build();
    expect(await chooseBitmaps(test.database)).toEqual({ wanted: [], unwanted: [] });
    await test.database.query(sql`truncate bitmap, bitmap_begun, bitmap_chunk`);
  });

  it.each([
    ['the records are analyzed', sql`analyze event_search`],
    ['a bitmap is gone', sql`with gone as (delete from bitmap where term = 2) delete from bitmap_chunk where term = 2`],
    ['a term is in doubt', sql`insert into term_doubt (hash) values (4)`],
    ['another process has begun one', sql`insert into bitmap_begun (term, next_chunk) values (3, 0)`],
  ])('are chosen again when %s, and not before', async (_, change) => {
    const keeper = new BitmapKeeper(test.database, new Jobs());
    const settle = async (): Promise<void> => {
      while (await keeper.choose()) await keeper.build();
    };
    await settle();
    const before = await stateOfChoice(test.database);
    const looked = [await keeper.choose()];
    await test.database.query(change);
    // PostgreSQL may tell of an analysis a little later.
    await eventually('another state', async () => (await stateOfChoice(test.database)) !== before);
    looked.push(await keeper.choose());
    await settle();
    const choice = await chooseBitmaps(test.database);
    await test.database.query(sql`truncate bitmap, bitmap_begun, bitmap_chunk, term_doubt`);
    expect({ looked, choice }).toEqual({ looked: [false, true], choice: { wanted: [], unwanted: [] } });
  });

  it('that are begun are not wanted again, and are taken away when their terms are no longer frequent', async () => {
    await test.database.transaction(async (transaction) => {
      await beginBitmaps(transaction, [0n, 1n, 3n, 6n]);
      expect(await chooseBitmaps(transaction)).toEqual({ wanted: [...UPDATE_SLICES, 2n, 4n, 5n], unwanted: [3n] });
      await transaction.query(sql`truncate bitmap_begun`);
    });
  });

  it('stay as they are where PostgreSQL knows how many records there are, but nothing of them, as when restored', async () => {
    const chosen = await test.database.transaction(async (transaction) => {
      for (const term of [0n, 1n]) await buildBitmap(transaction, term);
      await transaction.query(sql`delete from pg_statistic where starelid = 'event_search'::regclass`);
      const found = await chooseBitmaps(transaction);
      await transaction.query(sql`truncate bitmap, bitmap_begun, bitmap_chunk`);
      await transaction.query(sql`analyze event_search`);
      return found;
    });
    expect(chosen).toEqual({ wanted: [], unwanted: [] });
  });

  it('are wanted of frequent areas, however many values of declarations are as frequent, and built together', async () => {
    const area = 5_000n;
    const { kind, value } = areaTerm('updated_at_location', aUuid(0xa2));
    const values = 4_100;
    await test.database.query(sql`
      update event_search set terms = terms || array_remove(array[case when seq % 10 = 0 then ${area}::bigint end], null)
        || array(select 10000 + n::bigint from generate_series(1, ${values}::int) n where n % 200 = seq % 200)`);
    await test.database.query(sql`
      insert into term (hash, text)
      select 10000 + n, 'number 12 child.weight ' || n from generate_series(1, ${values}::int) n
      union all select ${area}::bigint, ${kind.prefix + value}`);
    await test.database.query(sql`analyze event_search`);
    const { wanted } = await chooseBitmaps(test.database);
    expect({ all: wanted.length, area: wanted.includes(area) }).toEqual({ all: 4_000 + ALWAYS.length, area: true });
    const keeper = new BitmapKeeper(test.database, new Jobs());
    await keeper.choose();
    await keeper.build();
    const [kept] = await test.database.query(sql`
      select count(distinct term)::int as terms, (select count(*)::int from bitmap) as bitmaps,
             sum(bit_count(bits)) filter (where term = ${area})::int as "ofArea" from bitmap_chunk`);
    // Of the slices, those in which no record has a bit have no row.
    const slices = slicesIn(periodAt(Date.now() / 1_000));
    expect(kept).toEqual({
      terms: 4_001 + slices.length,
      bitmaps: 4_000 + ALWAYS.length,
      ofArea: RECORDS / 10,
    });
    expect(await chooseBitmaps(test.database)).toEqual({ wanted: [], unwanted: [] });
  });
});
