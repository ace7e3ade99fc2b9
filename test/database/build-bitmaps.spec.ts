import fc from 'fast-check';
import { Jobs } from '../../src/platform/jobs/jobs.js';
import { CHUNK_BITS } from '../../src/events/index/bitmaps/bitmap.js';
import { BitmapKeeper } from '../../src/events/index/bitmaps/bitmap-keeper.js';
import { beginBitmaps, buildBitmap, buildPart } from '../../src/events/index/bitmaps/build-bitmaps.js';
import { UPDATE_SLICES } from '../../src/events/index/bitmaps/update-period.js';
import { forgetBitmap, FORGET_BITMAPS } from '../../src/events/index/bitmaps/write-bitmaps.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { absurd } from '../../src/kernel/errors/service-error.js';
import { importRecords } from '../../src/events/import/import-records.js';
import { checkDerived } from '../../src/events/reindex/check/check-derived.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { deleteRecords } from '../support/delete-records.js';
import { ndjson } from '../support/ndjson.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { applyMarks, buildTogether } from '../support/slices.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.drop());

const store = (...records: readonly EventRecord[]) => importRecords(test.database, WITHOUT_FORMS, ndjson(records));

/** The next record to be stored gets the `seq` after this one. */
const setLastSeq = (seq: number) =>
  test.database.query(sql`select setval(pg_get_serial_sequence('event', 'seq'), ${seq}::bigint)`);

const begin = (...terms: readonly bigint[]) =>
  test.database.transaction((transaction) => beginBitmaps(transaction, terms));
const part = () => test.database.transaction((transaction) => buildPart(transaction));

const bitmaps = () =>
  test.database.query<{ term: string; chunk: number; bits: string }>(
    sql`select term, chunk, bits from bitmap_chunk order by term, chunk`,
  );
const complete = async () => (await test.database.query(sql`select from bitmap`)).length;
const differences = async () => (await checkDerived(test.database, WITHOUT_FORMS)).differences;

/** All terms that there are, of every record, and the slices of updates. */
async function everyTerm(): Promise<readonly bigint[]> {
  const terms = await test.database.query<{ term: string }>(
    sql`select distinct unnest(terms) as term from event_search union select unnest(${[0n, ...UPDATE_SLICES]}::bigint[])`,
  );
  return terms.map(({ term }) => BigInt(term));
}

/** Makes all bitmaps anew, one by one, each from the index of terms. */
async function madeOneByOne() {
  const terms = await everyTerm();
  await test.database.transaction(async (transaction) => {
    await transaction.query(FORGET_BITMAPS);
    for (const term of terms) await buildBitmap(transaction, term);
  });
  return bitmaps();
}

describe('building many bitmaps by going through all records', () => {
  it('makes those that are made one by one, where rows between are missing and marks are left', async () => {
    // In the first row of bits, the last of the second part, the next one, and one behind a gap.
    for (const seq of [1, 122_879, 140_000, 400_000]) {
      await setLastSeq(seq);
      await store(aRecord({ flags: ['a', `b${seq}`] }), aRecord({ status: 'ARCHIVED' }));
    }
    const terms = await everyTerm();
    const oneByOne = await madeOneByOne();
    await test.database.transaction(async (transaction) => {
      await transaction.query(FORGET_BITMAPS);
      await buildTogether(transaction, [...terms, 99n]);
    });
    expect([await complete(), await bitmaps()]).toEqual([terms.length + 1, oneByOne]);
    await store(aRecord({ flags: ['a'] }));
    await applyMarks(test.database);
    expect(await differences()).toEqual([]);
  });

  it('makes none of a term that has one, and none where there is no record', async () => {
    const build = (...terms: readonly bigint[]) =>
      test.database.transaction((transaction) => buildTogether(transaction, terms));
    await build(0n, 1n);
    await build(0n, 2n);
    expect([await complete(), await bitmaps(), await part()]).toEqual([3, [], undefined]);
  });

  it('says how far it is, and lets nobody read what is not complete', async () => {
    for (const seq of [1, 100_000, 200_000]) {
      await setLastSeq(seq);
      await store(aRecord());
    }
    const terms = await everyTerm();
    await begin(...terms);
    const built: unknown[] = [];
    for (let some = await part(); some !== undefined; some = await part()) built.push([some, await complete()]);
    const of = { bitmaps: terms.length, of: 14 };
    expect(built).toEqual([
      [{ ...of, done: 4 }, 0],
      [{ ...of, done: 8 }, 0],
      [{ ...of, done: 12 }, 0],
      [{ ...of, done: 14 }, terms.length],
    ]);
  });

  it('is continued by another process where the first has ended, and not begun anew', async () => {
    for (const seq of [1, 100_000, 200_000]) {
      await setLastSeq(seq);
      await store(aRecord());
    }
    await begin(...(await everyTerm()));
    const ending = new AbortController();
    const first = new BitmapKeeper(test.database, new Jobs());
    const fold = jest.spyOn(first, 'fold');
    fold.mockImplementation(() => {
      if (fold.mock.calls.length === 2) ending.abort();
      return Promise.resolve(0);
    });
    await first.build(ending.signal);
    expect(await test.database.query(sql`select distinct next_chunk from bitmap_begun`)).toEqual([{ next_chunk: 8 }]);
    await new BitmapKeeper(test.database, new Jobs()).build();
    const built = await bitmaps();
    expect([await differences(), built]).toEqual([[], await madeOneByOne()]);
  });

  it('is right whatever is written between and beside its parts, however often it is given up and begun again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
        await test.database.query(sql`truncate event, bitmap, bitmap_begun, bitmap_chunk, bitmap_dirty cascade`);
        const records: EventRecord[] = [];
        for (const seq of [1, 100_000, 200_000]) await create(records, { seq, flags: ['a'] });
        await begin(...(await everyTerm()));
        for (const one of steps) {
          await take(records, one);
          expect(await differences()).toEqual([]);
        }
        await begin(...(await everyTerm()));
        await new BitmapKeeper(test.database, new Jobs()).build();
        await applyMarks(test.database);
        const built = (await bitmaps()).filter(({ bits }) => bits.includes('1'));
        expect([await differences(), built]).toEqual([[], await madeOneByOne()]);
      }),
      { numRuns: 3 },
    );
  });
});

/** What may happen while bitmaps are made. */
const step = fc.record({
  kind: fc.constantFrom(
    ...([
      'create',
      'change',
      'delete',
      'fold',
      'part',
      'part given up',
      'part beside writers',
      'forget',
      'begin',
    ] as const),
  ),
  /** Sixteen rows. */
  seq: fc.integer({ min: 1, max: 16 * CHUNK_BITS }),
  at: fc.nat(1_000),
  flags: fc.subarray(['a', 'b', 'c', 'd']),
  status: fc.constantFrom('DECLARED' as const, 'ARCHIVED' as const),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function create(records: EventRecord[], { seq, flags }: Pick<Step, 'seq' | 'flags'>): Promise<void> {
  await setLastSeq(seq);
  const record = aRecord({ flags });
  const before = await test.database.query(sql`select from event where seq = ${seq + 1}::bigint`);
  if (before.length > 0) return;
  await store(record);
  records.push(record);
}

async function change(records: EventRecord[], { at, flags, status }: Step): Promise<void> {
  const index = at % Math.max(records.length, 1);
  const record = records[index];
  if (record === undefined) return;
  records[index] = { ...record, flags, status };
  await store(records[index]);
}

async function remove(records: EventRecord[], { at }: Step): Promise<void> {
  const [record] = records.splice(at % Math.max(records.length, 1), 1);
  if (record === undefined) return;
  await test.database.transaction((transaction) => deleteRecords(transaction, [record.id]));
}

async function take(records: EventRecord[], one: Step): Promise<unknown> {
  switch (one.kind) {
    case 'create':
      return create(records, one);
    case 'change':
      return change(records, one);
    case 'delete':
      return remove(records, one);
    case 'fold':
      return applyMarks(test.database);
    case 'part':
      return part();
    case 'part given up':
      return test.database
        .transaction(async (transaction) => {
          await buildPart(transaction);
          throw new Error('given up');
        })
        .catch(() => undefined);
    case 'part beside writers':
      return test.database.transaction(async (transaction) => {
        await create(records, one);
        await buildPart(transaction);
        await change(records, one);
        await remove(records, one);
      });
    case 'forget': {
      const terms = await everyTerm();
      const term = terms[one.at % terms.length];
      if (term === undefined) return;
      return test.database.transaction((transaction) => forgetBitmap(transaction, term));
    }
    case 'begin':
      return begin(...(await everyTerm()).slice(one.at % 10));
    default:
      return absurd(one.kind);
  }
}
