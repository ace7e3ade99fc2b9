/**
 * Near numbers in blocks beside the same in memory, by turns: `npx tsx bench/near-numbers.ts --empty URL --records N`
 * fills an empty database with four national ids a record, moves them into blocks, and looks 200 misspelt ones up in
 * both.
 */
import { Command } from 'commander';
import { Database } from '../src/platform/database/pools/database.js';
import { createDataSource } from '../src/platform/database/schema/data-source.js';
import { migrate } from '../src/platform/database/schema/migrate.js';
import type { FoundWord } from '../src/events/index/near-words/found-word.js';
import { moveWords } from '../src/events/index/near-words/block-keeper.js';
import { RecentNumbers } from '../src/events/index/near-words/fuzzy-dictionary.js';
import { storedWordsNear } from '../src/events/index/near-words/stored-words.js';
import { stepwise } from '../src/platform/queue/time-slice.js';
import { SearchTurn } from '../src/events/index/near-words/search-turn.js';
import { type Reading, READING, readingOf } from '../src/events/index/near-words/word-rows.js';
import { WordsInMemory } from '../src/events/index/near-words/words-in-memory.js';
import { Prng } from '../demo/prng.js';
import { sql } from '../src/kernel/sql/sql.js';
import { nationalIdOf } from './data/national-declaration.js';
import { spreadOf } from './measure/spread.js';

const PATHS = [0, 1, 2, 3];
const IN_A_LIST = 500;
const SEARCHED = 200;

type LookUp = (word: string) => Promise<readonly FoundWord[]>;

/** Two edits: a letter replaced, and two exchanged. */
const misspelt = (word: string, at: number): string =>
  `${word.slice(0, 3)}${at % 10}${word.slice(4, 6)}${word.slice(7, 8)}${word.slice(6, 7)}${word.slice(8)}`;

async function fill(database: Database, records: number): Promise<RecentNumbers> {
  const recent = new RecentNumbers();
  for (let from = 0; from < records; from += IN_A_LIST) {
    const lists = PATHS.map((path) =>
      Array.from({ length: Math.min(IN_A_LIST, records - from) }, (_, at) => nationalIdOf(from + at, path)),
    );
    for (const [path, words] of lists.entries()) for (const word of words) recent.add(path, word);
    await database.query(sql`
      insert into fuzzy_word_list (path_id, seqs, words)
      select path, int8range(${from}::bigint, ${from + IN_A_LIST}::bigint), words
        from unnest(${PATHS}::int[], ${lists.map((words) => words.join(' '))}::text[]) as new (path, words)`);
  }
  return recent;
}

const namesOf = (found: readonly FoundWord[]): string =>
  [...new Set(found.map(({ pathId, word, edits }) => `${pathId} ${word} ${edits}`))].sort().join();

const program = new Command('near-numbers')
  .requiredOption('--empty <url>', 'an empty database')
  .option('--records <number>', 'how many', Number, 100_000)
  .action(async ({ empty, records }: { readonly empty: string; readonly records: number }) => {
    const dataSource = await createDataSource(empty, 2).initialize();
    await migrate(dataSource);
    const database = new Database(dataSource);
    const recent = await fill(database, records);
    await moveWords(database.patient, { batch: { words: 1, lists: 800 } });
    // The rest of them.
    await moveWords(database.patient, { batch: { words: 1, lists: 1 } });
    await database.patient.query(sql`vacuum analyze number_block`);
    const asked = new WordsInMemory();
    asked.keepRecent(readingOf(await database.query<Reading>(READING)));
    const ways: readonly (readonly [string, LookUp])[] = [
      ['memory', (word) => stepwise(recent.near(word), new SearchTurn())],
      [
        'blocks',
        async (word) => {
          const found = await storedWordsNear(database, asked.mayBeInBlocks([word]), new SearchTurn());
          return found.get(word) ?? [];
        },
      ],
    ];
    const times = new Map<string, number[]>(ways.map(([name]) => [name, []]));
    const prng = new Prng(1, 'respelling');
    let same = 0;
    for (let at = 0; at < SEARCHED; at++) {
      const word = misspelt(nationalIdOf(prng.between(0, records - 1), at % PATHS.length), at);
      const found: string[] = [];
      for (const [name, lookUp] of ways) {
        const began = performance.now();
        found.push(namesOf(await lookUp(word)));
        times.get(name)?.push(performance.now() - began);
      }
      if (found[0] === found[1]) same += 1;
    }
    console.log(`the same found for ${same} of ${SEARCHED}`);
    for (const [name, ms] of times) console.log(name, spreadOf(ms));
    await dataSource.destroy();
  });

await program.parseAsync();
