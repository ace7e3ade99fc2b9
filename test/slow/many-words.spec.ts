import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { importRecords } from '../../src/events/import/import-records.js';
import { checkDerived } from '../../src/events/reindex/check-derived.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { ndjson } from '../support/ndjson.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { processorMsOf } from '../support/processor-time.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

/** As many words in one record as in all of those that it is held against, and nearly as many as one may have. */
const WORDS = 10_800;
const RECORDS = 54;

/** What takes the square of the number of words took four to six times as long. */
const MOST_TIMES = 3;

const [LETTERS, DIGITS] = ['abcdefghij', '0123456789'];

/** Distinct words: numbers, of which nearly every record has others, or words of a language. */
const words = (from: number, count: number, alphabet: string): readonly string[] =>
  Array.from({ length: count }, (_, at) =>
    Array.from(String(1_000_000 + from + at), (digit) => alphabet.charAt(Number(digit))).join(''),
  );

const inTexts = (of: readonly string[], count: number): readonly string[] =>
  of.flatMap((_, at) => (at % count === 0 ? [of.slice(at, at + count).join(' ')] : []));

const recordWith = (from: number, count: number): EventRecord =>
  aRecord({
    declaration: {
      'some.numbers': inTexts(words(from, count / 2, DIGITS), 10),
      'some.names': inTexts(words(from, count / 4, LETTERS), 5).map((firstname) => ({ firstname })),
      'some.text': words(from + WORDS, count / 4, LETTERS).join(' '),
    },
  });

const one = recordWith(0, WORDS);
const many = Array.from({ length: RECORDS }, (_, at) => recordWith((at * WORDS) / RECORDS, WORDS / RECORDS));

describe('a record of very many words', () => {
  let ofOne: TestDatabase;
  let ofMany: TestDatabase;

  beforeAll(async () => {
    [ofOne, ofMany] = [await createTestDatabase(), await createTestDatabase()];
  });

  afterAll(async () => {
    await ofOne.drop();
    await ofMany.drop();
  });

  /** How many times as long the processors work for the one as for the many. */
  async function times(work: (test: TestDatabase, records: readonly EventRecord[]) => Promise<void>): Promise<number> {
    const measure = (test: TestDatabase, records: readonly EventRecord[]): Promise<number> =>
      processorMsOf(test.database, () => work(test, records));
    const control = await measure(ofMany, many);
    return (await measure(ofOne, [one])) / control;
  }

  /** The same of work that can be done again: what else a processor has to do slows one of the two now and then. */
  async function timesAtLeast(work: (test: TestDatabase) => Promise<void>): Promise<number> {
    let least = Infinity;
    for (let turn = 0; turn < 3 && least >= MOST_TIMES; turn += 1) least = Math.min(least, await times(work));
    return least;
  }

  it('is imported, changed and checked in as long as many that have as many together', async () => {
    const store = async ({ database }: TestDatabase, records: readonly EventRecord[]): Promise<void> => {
      expect((await importRecords(database, WITHOUT_FORMS, ndjson(records))).rejected).toBe(0);
    };
    const check = async ({ database }: TestDatabase): Promise<void> => {
      expect((await checkDerived(database, WITHOUT_FORMS)).differences).toEqual([]);
    };
    const change = (test: TestDatabase, records: readonly EventRecord[]): Promise<void> =>
      store(
        test,
        records.map((record) => ({ ...record, flags: ['changed'] })),
      );
    const turnTerms = async ({ database }: TestDatabase): Promise<void> => {
      await database.query(sql`update event_search set terms = array(select unnest(terms) order by 1)`);
    };
    expect(await times(store)).toBeLessThan(MOST_TIMES);
    expect(await timesAtLeast(check)).toBeLessThan(MOST_TIMES);
    expect(await times(change)).toBeLessThan(MOST_TIMES);
    await turnTerms(ofOne);
    await turnTerms(ofMany);
    expect(await timesAtLeast(check)).toBeLessThan(MOST_TIMES);
  }, 600_000);
});
