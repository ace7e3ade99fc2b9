import fc from 'fast-check';
import { areManyNames, moveWords } from '../../src/events/index/near-words/block-keeper.js';
import { IN_BLOCKS } from '../../src/events/index/near-words/write-blocks.js';
import { DictionaryFollower } from '../../src/events/index/near-words/dictionary-follower.js';
import { SearchTurn } from '../../src/events/index/near-words/search-turn.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { moveNamesToo, moveNumbersIntoBlocks } from '../support/number-blocks.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { editsToNear } from '../support/reference/near-words.js';
import { wordsNear } from '../support/words-near.js';

/** A word at a path. */
type Stored = readonly [pathId: number, word: string];

/** Alike enough that many are near one another: Latin, other scripts, several in a word, short numbers, long names. */
const aName = fc.oneof(
  fc.stringMatching(/^[ab]{1,10}$/),
  fc.string({ unit: fc.constantFrom('ж', 'з', 'a', '\u{20000}', '\uffee', '7'), minLength: 1, maxLength: 8 }),
  fc.stringMatching(/^[a1]{0,3}[1a]{1,3}[ab]{1,3}$/),
  fc.stringMatching(/^[አበ]{2,7}$/),
  fc.stringMatching(/^[aж]{1,3}@[aж.]{1,4}$/),
  fc.stringMatching(/^(long){9}[ab]{0,3}$/),
  fc.stringMatching(/^(ረዥም){43}[አበ]{0,2}$/),
);

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase({ icuLocale: 'en-US' });
  await test.database.query(sql`
    insert into fuzzy_path (id, hash, path, is_field) overriding system value
    select id, decode(md5(id::text), 'hex'), 'path ' || id, true from generate_series(1, 40) as id`);
});
afterAll(() => test.drop());

const store = (stored: readonly Stored[]) =>
  test.database.query(sql`
    insert into fuzzy_word (path_id, word)
    select * from unnest(${stored.map(([id]) => id)}::int[], ${stored.map(([, word]) => word)}::text[])
        on conflict do nothing`);

/** What is near each word, in all paths together. */
async function near(searched: readonly string[], follower = new DictionaryFollower(test.database)) {
  const { dictionary } = await follower.caughtUp();
  await dictionary.lookUp?.(
    searched.map((word) => ({ word })),
    new SearchTurn(),
  );
  return searched.map((word) => dictionary.inEachField(word).words.map(textOf).sort());
}

const textOf = ({ word, edits }: { readonly word: string; readonly edits: number }): string => `${word} ${edits}`;

const expectedAmong = (words: Iterable<string>, searched: string): readonly string[] =>
  [...new Set(words)]
    .flatMap((word) => {
      const edits = editsToNear(searched, word);
      return edits === undefined ? [] : [textOf({ word, edits })];
    })
    .sort();

describe('names in blocks', () => {
  const all = new Set<string>();

  it('are moved once there are too many for a process, and from then on with the numbers', async () => {
    const namesBefore = async () =>
      BigInt(
        (
          await test.database.query<{ id: string }>(sql`select names_before::text as id from (${IN_BLOCKS}) as until`)
        )[0]?.id ?? '',
      );
    const write = async (word: string) => {
      all.add(word);
      await store([[1, word]]);
      await moveNumbersIntoBlocks(test.database);
    };
    await write('mwape');
    expect(await areManyNames(test.database)).toBe(false);
    await moveWords(test.database);
    expect(await namesBefore()).toBe(0n);
    await moveWords(test.database, { beginNames: true });
    const first = await namesBefore();
    await write('mwansa');
    await moveWords(test.database);
    expect([first > 0n, (await namesBefore()) > first]).toEqual([true, true]);
    expect(await near(['mwnasa', 'mwap'])).toEqual([['mwansa 1'], ['mwape 1']]);
  });

  it('are found where they are near, each with its edits, and no others', async () => {
    const follower = new DictionaryFollower(test.database);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(1, 2, 33), aName), { minLength: 60, maxLength: 200 }),
        fc.array(aName, { minLength: 8, maxLength: 8 }),
        async (stored, searches) => {
          await store(stored);
          await moveNamesToo(test.database);
          for (const [, word] of stored) all.add(word);
          expect(await near(searches, follower)).toEqual(searches.map((searched) => expectedAmong(all, searched)));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('are found among thousands that begin alike, or have other letters of the same place', async () => {
    const letters = 'bcdfghjklm';
    const spelt = (at: number): string => Array.from(String(at), (digit) => letters.charAt(Number(digit))).join('');
    const latin = Array.from({ length: 12_000 }, (_, at) => `muso${spelt(10_000 + at)}`);
    // 26 code points apart: all have the same letters in blocks.
    const others = Array.from({ length: 1_500 }, (_, at) => `አ${String.fromCodePoint(0x20000 + at * 26)}በ`);
    await store([...latin, ...others].map((word): Stored => [7, word]));
    await store(Array.from({ length: 40 }, (_, at): Stored => [at + 1, 'everywhere']));
    await moveNamesToo(test.database);
    for (const word of [...latin, ...others, 'everywhere']) all.add(word);
    const searches = [latin[77] ?? '', 'musobcdfc', 'msuobbbbb', 'xusobbbb', others[3] ?? '', 'አበ', 'አአበ', 'evrywher'];
    expect(await near(searches)).toEqual(searches.map((searched) => expectedAmong(all, searched)));
  });

  it('are in memory no longer, and looked up with those written since, of all words of a search in few statements', async () => {
    const follower = new DictionaryFollower(test.database);
    const word = 'temwanani';
    await store([[1, word]]);
    await follower.caughtUp();
    const known = follower.size.words;
    const { dictionary } = await follower.caughtUp();
    await moveNamesToo(test.database);
    await follower.caughtUp();
    expect([known > 0, follower.size.words]).toEqual([true, 0]);
    // A search that had caught up before they were forgotten.
    await dictionary.lookUp?.([{ word: 'temwanna' }], new SearchTurn());
    expect(dictionary.inEachField('temwanna').words).toEqual([{ word, edits: 2 }]);

    await store([[2, 'temwanana']]);
    expect(await wordsNear(follower, 'temwanan')).toEqual(
      expect.arrayContaining([
        { word, edits: 1 },
        { word: 'temwanana', edits: 1 },
      ]),
    );
    const queries = jest.spyOn(test.database, 'query');
    await near([word, 'chikondi', 'abimbola', 'chukwuemeka', 'b7'], follower);
    expect(queries.mock.calls.length).toBeLessThanOrEqual(4);
    queries.mockRestore();
  });

  it('have plain letters and capitals, whatever is behind the first of a long one', async () => {
    const [until] = await test.database.query<{ letters: string }>(sql`select letters from name_blocks_until`);
    expect(until?.letters).toMatch(/^0123456789[A-Z]+abcdefghijklmnopqrstuvwxyz$/);
  });

  it('are not said to be in blocks by ids of other transactions, as in a dump that was restored', async () => {
    const follower = new DictionaryFollower(test.database);
    const before = await near(['temwanan'], follower);
    await test.database.query(sql`update name_blocks_until set moved_by = '1'`);
    await test.database.query(sql`update number_block set entries = '' where direction in ('F', 'R')`);
    const found = async () => [...(await near(['temwanan'], follower)), ...(await near(['temwanan']))];
    expect(await found()).toEqual([...before, ...before]);
    await moveNamesToo(test.database);
    expect(await found()).toEqual([...before, ...before]);
    expect(follower.size.words).toBe(0);
  });
});
