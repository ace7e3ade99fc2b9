import fc from 'fast-check';
import { moveWords } from '../../src/events/index/near-words/block-keeper.js';
import { moveIntoBlocks } from '../../src/events/index/near-words/write-blocks.js';
import { storedWordsNear } from '../../src/events/index/near-words/stored-words.js';
import { SearchTurn } from '../../src/events/index/near-words/search-turn.js';
import type { FoundWord } from '../../src/events/index/near-words/found-word.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { eventually } from '../support/eventually.js';
import { askedOfBlocks, moveNumbersIntoBlocks } from '../support/number-blocks.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { editsToNear } from '../support/reference/near-words.js';

/** A number or address at a path. */
type Stored = readonly [pathId: number, word: string];

/** Alike enough that many are near one another: identity numbers that begin alike, others, addresses. */
const aNumber = fc.oneof(
  fc.stringMatching(/^26097[0-3]{6}$/),
  fc.stringMatching(/^[12]{3,9}$/),
  fc.stringMatching(/^[1a]{0,2}[12]{3}[a1]{0,3}$/),
  fc.stringMatching(/^[a1.]{1,4}@[a1]{1,2}(\.b)?$/),
);
const aSearched = fc.oneof(
  aNumber,
  fc.stringMatching(/^[ab1]{1,9}$/),
  fc.stringMatching(/^[12аш]{4,9}$/),
  fc.tuple(aNumber, aNumber).map(([one, other]) => one.slice(0, 5) + other.slice(4)),
);

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase({ icuLocale: 'en-US' });
});
afterAll(() => test.drop());

async function store(stored: readonly Stored[], into: 'words' | 'lists'): Promise<void> {
  const [ids, words] = [stored.map(([id]) => id), stored.map(([, word]) => word)];
  await test.database.query(
    into === 'words'
      ? sql`insert into fuzzy_word (path_id, word) select * from unnest(${ids}::int[], ${words}::text[]) on conflict do nothing`
      : sql`insert into fuzzy_word_list (path_id, seqs, words)
            select path_id, '[1,2)', string_agg(word, ' ')
              from unnest(${ids}::int[], ${words}::text[]) as new (path_id, word) group by path_id`,
  );
}

const moveAll = () => moveNumbersIntoBlocks(test.database);

const near = async (searched: string): Promise<readonly string[]> =>
  nearOnes(
    await storedWordsNear(test.database, await askedOfBlocks(test.database, [searched]), new SearchTurn()),
    searched,
  );

const nearOnes = (found: ReadonlyMap<string, readonly FoundWord[]>, searched: string): readonly string[] =>
  (found.get(searched) ?? []).map(({ pathId, word, edits }) => `${pathId} ${word} ${edits}`).sort();

describe('a look-up', () => {
  it.each(['саша5', 'александр', 'አበበ12', `${'a'.repeat(200)}@${'b'.repeat(50)}`])(
    'takes few statements where nothing is near: %s',
    async (searched) => {
      await store(
        [
          [1, 'anna@x.zm'],
          [1, '1234567890'],
        ],
        'words',
      );
      await moveAll();
      const queries = jest.spyOn(test.database, 'query');
      expect(await near(searched)).toEqual([]);
      expect(queries.mock.calls.length).toBeLessThanOrEqual(3);
      queries.mockRestore();
    },
  );

  it('ends when its search does, whatever it waits for', async () => {
    const end = new AbortController();
    await test.database.transaction(async (transaction) => {
      await transaction.query(sql`lock table number_block in access exclusive mode`);
      const found = storedWordsNear(
        test.database,
        [{ word: '1234567890', numbers: { letters: undefined, addresses: true }, nameLetters: 'abc' }],
        new SearchTurn(end.signal),
      );
      setTimeout(() => {
        end.abort(new Error('nobody waits'));
      }, 200);
      await expect(found).rejects.toThrow('nobody waits');
    });
  });
});

describe('numbers in blocks', () => {
  it('are found where they are near, each with its edits, and no others', async () => {
    const all = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(1, 2, 33), aNumber), { minLength: 60, maxLength: 200 }),
        fc.constantFrom('words', 'lists'),
        fc.array(aSearched, { minLength: 6, maxLength: 6 }),
        async (stored, into, searches) => {
          await store(stored, into);
          await moveAll();
          for (const [pathId, word] of stored) all.add(`${pathId} ${word}`);
          for (const searched of searches) {
            const expected = [...all].flatMap((one) => {
              const edits = editsToNear(searched, one.slice(one.indexOf(' ') + 1));
              return edits === undefined ? [] : [`${one} ${edits}`];
            });
            expect(await near(searched)).toEqual(expected.sort());
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('are found by their letters, which are known again after a process that keeps none has moved some', async () => {
    const lettersNow = async (): Promise<unknown> =>
      (await askedOfBlocks(test.database, ['7000000001'])).map(({ numbers }) => numbers?.letters);
    await store([[1, '7000000001']], 'words');
    await moveAll();
    const before = await lettersNow();
    await store([[1, '7000000xy1']], 'words');
    await moveAll();
    // As a process of an earlier release leaves it.
    await test.database.query(sql`update number_letters set written_before = '1', letters = ''`);
    const meanwhile = { letters: await lettersNow(), near: await near('7000000z01') };
    await store([[1, '7000000q01']], 'lists');
    await moveAll();
    expect({ before, meanwhile, after: await lettersNow(), near: await near('7000000001') }).toEqual({
      before: ['a'],
      meanwhile: { letters: [undefined], near: ['1 7000000001 1', '1 7000000xy1 2'] },
      after: ['aqxy'],
      near: ['1 7000000001 0', '1 7000000q01 1', '1 7000000xy1 2'],
    });
  });

  it('are found among so many that begin alike that they are looked up in parts', async () => {
    const numbers = Array.from({ length: 20_000 }, (_, at): Stored => [
      7,
      String(98_000_000 + ((at * 7_919) % 30_000)),
    ]);
    const paths = Array.from({ length: 1_000 }, (_, at): Stored => [at + 10, '88000001']);
    await store([...numbers, ...paths], 'lists');
    await moveAll();
    const words = new Set(numbers.map(([, word]) => word));
    for (const searched of ['98012345', '89029999', '9801234', '98a12345', '88000010']) {
      const expected = [...words].flatMap((word) => {
        const edits = editsToNear(searched, word);
        return edits === undefined ? [] : [`7 ${word} ${edits}`];
      });
      const found = await near(searched);
      expect(found.filter((one) => !one.includes(' 88000001 '))).toEqual(expected.sort());
      expect(found.filter((one) => one.includes(' 88000001 '))).toHaveLength(searched === '88000010' ? 1_000 : 0);
    }
  });

  it('are moved by transactions that have ended, a batch at a time', async () => {
    await moveAll();
    const count = async () =>
      (
        await test.database.query<{ direction: string; entries: number }>(sql`
        select direction, sum(cardinality(string_to_array(entries, chr(10))))::int as entries
          from number_block where direction in ('f', 'r') group by 1 order by 1`)
      ).map(({ entries }) => entries);
    const [before = 0, reversed] = await count();
    expect(reversed).toBe(before);
    const move = (words: number) =>
      test.database.transaction((transaction) => moveIntoBlocks(transaction, { words, lists: 1 }));
    await store([[1, '555000111']], 'words');
    await test.database.transaction(async (transaction) => {
      await transaction.query(sql`insert into fuzzy_word (path_id, word) values (1, '555000222')`);
      await store([[1, '555000333']], 'words');
      expect(await move(2)).toBe(false);
      await eventually('nobody else on the server holds it up', () => move(1));
      expect(await move(1)).toBe(false);
      expect(await Promise.all(['555000111', '555000222', '555000333'].map(near))).toEqual([['1 555000111 0'], [], []]);
    });
    await moveNumbersIntoBlocks(test.database);
    expect(await near('555000222')).toEqual(['1 555000222 0']);
    expect(await count()).toEqual([before + 3, before + 3]);
  });

  it('are moved in steps of so many bytes, also into blocks of which somebody has removed the first', async () => {
    await moveAll();
    await test.database.query(sql`delete from number_block`);
    const words = ['666000111', '666000222', '666000333'];
    for (const word of words) await store([[1, word]], 'words');
    let steps = 0;
    await eventually('nobody else on the server holds it up', async () => {
      const move = test.database.transaction((to) => moveIntoBlocks(to, { words: 1, lists: 1 }, 1));
      if (await move) steps += 1;
      return steps === words.length;
    });
    expect(await Promise.all(words.map(near))).toEqual(words.map((word) => [`1 ${word} 0`]));
  });

  it('are the same whether they are moved at once, with room in each block, or one after the other', async () => {
    const words = fc.sample(aNumber, { numRuns: 400, seed: 5 });
    for (const each of [words.slice(0, 150), words.slice(150, 300), words.slice(300)]) {
      await store(
        [...new Set(each)].map((word) => [7, word] as const),
        'words',
      );
    }
    const moved = async (mostBytes?: number) => {
      await test.database.query(sql`update number_block set entries = ''`);
      await test.database.query(sql`update number_blocks_until set written_before = '0'`);
      const move = () => test.database.transaction((to) => moveIntoBlocks(to, { words: 1, lists: 1 }, mostBytes));
      let steps = 0;
      while (await move()) steps += 1;
      const blocks = await test.database.query<{ direction: string; first: string; entries: string }>(
        sql`select direction, first, entries from number_block where direction in ('f', 'r') order by 1, 2`,
      );
      const divided = blocks.map(({ entries, ...of }) => ({ ...of, entries: entries.split('\n') }));
      return {
        steps,
        entries: divided.flatMap(({ direction, entries }) => entries.map((entry) => `${direction} ${entry}`)),
        firsts: divided.map(({ direction, first, entries }) => [direction, first, entries[0]]),
        lengths: divided.map(({ entries }) => entries.length),
      };
    };
    await moveAll();
    const [atOnce, batches] = [await moved(), await moved(1)];
    expect(atOnce.entries).toEqual(batches.entries);
    expect(atOnce.entries.length).toBeGreaterThan(400);
    expect([atOnce.steps, batches.steps > 3]).toEqual([1, true]);
    expect(Math.max(...atOnce.lengths)).toBe(36);
    expect(Math.max(...batches.lengths)).toBeLessThanOrEqual(48);
    for (const { firsts } of [atOnce, batches]) {
      expect(
        firsts.filter(([, first, entry]) => first !== entry).map(([direction, first]) => [direction, first]),
      ).toEqual([
        ['f', ''],
        ['r', ''],
      ]);
    }
  });

  it('are left where they are when the process ends, however long moving them takes', async () => {
    await store([[1, '777000111']], 'words');
    const end = new AbortController();
    await test.database.transaction(async (transaction) => {
      await transaction.query(sql`lock table number_blocks_until in access exclusive mode`);
      const moved = moveWords(test.database.patient, { signal: end.signal, batch: { words: 1, lists: 1 } });
      end.abort();
      await moved;
    });
    expect(await near('777000111')).toEqual([]);
    await moveNumbersIntoBlocks(test.database);
    expect(await near('777000111')).toEqual(['1 777000111 0']);
  });
});
