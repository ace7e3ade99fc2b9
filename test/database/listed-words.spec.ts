import { listedAmong } from '../../src/events/index/terms/numerous-words.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const PATHS = 20;
const LISTS_OF_A_PATH = 300;
const EVENTS_OF_A_LIST = 100;

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  await test.database.query(sql`
    insert into fuzzy_word_list (path_id, seqs, words)
    select path, int8range(list * ${EVENTS_OF_A_LIST}::int, (list + 1) * ${EVENTS_OF_A_LIST}::int),
           (select string_agg((path * 1000000000::bigint + list * ${EVENTS_OF_A_LIST}::int + at)::text, ' ')
              from generate_series(0, ${EVENTS_OF_A_LIST - 1}::int) as at)
      from generate_series(1, ${PATHS}::int) as path, generate_series(0, ${LISTS_OF_A_PATH - 1}::int) as list`);
  await test.database.query(sql`analyze fuzzy_word_list`);
});
afterAll(() => test.drop());

const wordOf = (pathId: number, seq: number) => ({ pathId, seq: String(seq), word: String(pathId * 1e9 + seq) });

describe('the words that lists have', () => {
  it('are those at their path in a list of their event', async () => {
    const [first, second] = [wordOf(1, 250), wordOf(2, 20_099)];
    const isListed = await listedAmong(test.database, [first, second]);
    expect(isListed(first)).toBe(true);
    expect(isListed(second)).toBe(true);
    expect(isListed({ ...first, pathId: 2 })).toBe(false);
    expect(isListed({ ...first, seq: '20099' })).toBe(false);
    expect(isListed({ ...first, word: '1000000199' })).toBe(false);
  });

  it('are none where nothing is asked', async () => {
    expect((await listedAmong(test.database, []))(wordOf(1, 250))).toBe(false);
  });

  it.each([
    ['a batch of events that follow one another', 500, 1, 5],
    ['events that lie far apart', 20, 1_000, 20],
  ])('are looked for in the lists of %s alone', async (_, events, step, listsOfAPath) => {
    const paths = Array.from({ length: PATHS / 2 }, (_, at) => at + 1);
    const words = Array.from({ length: events }, (_, at) => paths.map((path) => wordOf(path, at * step))).flat();
    const query = jest.spyOn(test.database, 'query');
    const isListed = await listedAmong(test.database, words);
    expect(words.filter((word) => !isListed(word))).toEqual([]);
    const statement = query.mock.calls.at(-1)?.[0];
    if (statement === undefined) throw new Error('nothing was asked');
    const plan = await test.database.query<{ 'QUERY PLAN': string }>(
      sql`explain (analyze, costs off, timing off, summary off) ${statement}`,
    );
    const lines = plan.map((row) => row['QUERY PLAN']);
    const read = lines.flatMap((line) => /Scan on fuzzy_word_list_seqs \(actual rows=([\d.]+)/.exec(line)?.[1] ?? []);
    expect(read.map(Number)).toEqual([PATHS * listsOfAPath]);
  });
});
