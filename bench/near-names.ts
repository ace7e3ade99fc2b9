/**
 * Names in memory beside the same in blocks, by turns; each command with `--url` and `--names N`:
 * `npx tsx bench/near-names.ts fill` writes N different names to an empty database, `start` says what reading them
 * takes a process in time and memory, `move` moves them into blocks, after which `start` is asked again, and `search`
 * looks misspelt ones up in memory and in blocks.
 */
import { Command } from 'commander';

import { Prng } from '../demo/prng.js';
import { Database } from '../src/platform/database/pools/database.js';
import { createDataSource } from '../src/platform/database/schema/data-source.js';
import { migrate } from '../src/platform/database/schema/migrate.js';
import { moveWords } from '../src/events/index/near-words/block-keeper.js';
import { storedWordsNear } from '../src/events/index/near-words/stored-words.js';
import { DictionaryFollower } from '../src/events/index/near-words/dictionary-follower.js';
import { Names } from '../src/events/index/near-words/fuzzy-dictionary.js';
import { Alignment, allowedEdits, codePointsOf } from '../src/events/index/near-words/optimal-string-alignment.js';
import { stepwise } from '../src/platform/queue/time-slice.js';
import { SearchTurn } from '../src/events/index/near-words/search-turn.js';
import { sql } from '../src/kernel/sql/sql.js';
import { madeUpName } from './data/made-up-names.js';
import { withEdits } from './data/with-edits.js';
import { spreadOf } from './measure/spread.js';

const AT_ONCE = 10_000;
const SEARCHES = 100;
/** Of a search by given name and surname, and of one with many names. */
const WORDS_OF_SEARCH = [1, 2, 12];

interface Options {
  readonly url: string;
  readonly names: number;
}

const program = new Command('near-names');

const command = (name: string, work: (database: Database, options: Options) => Promise<void>): void => {
  program
    .command(name)
    .requiredOption('--url <url>', 'a database')
    .option('--names <number>', 'how many', Number, 1_000_000)
    .action(async (options: Options) => {
      const dataSource = await createDataSource(options.url, 2).initialize();
      await work(new Database(dataSource), options);
      await dataSource.destroy();
    });
};

command('fill', async (database, { names }) => {
  await migrate(database.dataSource);
  await database.query(sql`insert into fuzzy_path (hash, path, is_field) values (decode('00', 'hex'), 'name', true)`);
  for (let from = 0; from < names; from += AT_ONCE) {
    const words = Array.from({ length: Math.min(AT_ONCE, names - from) }, (_, at) => madeUpName(from + at));
    await database.query(sql`insert into fuzzy_word (path_id, word) select 1, unnest(${words}::text[])`);
  }
  await database.patient.query(sql`vacuum analyze fuzzy_word`);
});

command('start', async (database) => {
  const follower = new DictionaryFollower(database);
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  const before = process.memoryUsage.rss();
  await follower.caughtUp();
  const { user, system } = process.cpuUsage(cpu);
  console.log({
    ms: Math.round(performance.now() - began),
    cpuMs: Math.round((user + system) / 1000),
    residentMB: Math.round(process.memoryUsage.rss() / 1e6),
    moreMB: Math.round((process.memoryUsage.rss() - before) / 1e6),
    ...follower.size,
  });
});

command('move', async (database) => {
  const began = performance.now();
  await moveWords(database.patient, { beginNames: true });
  // The rest of them.
  await moveWords(database.patient, { batch: { words: 1, lists: 1 }, beginNames: true });
  console.log({ ms: Math.round(performance.now() - began) });
  await database.patient.query(sql`vacuum analyze number_block`);
  const [size] = await database.query<{ mb: number }>(sql`select pg_total_relation_size('number_block') / 1e6 as mb`);
  console.log(size);
});

command('search', async (database, { names: count }) => {
  const names = new Names();
  for (let at = 0; at < count; at++) names.add(1, madeUpName(at));
  const [until] = await database.query<{ letters: string }>(sql`select letters from name_blocks_until`);
  const nameLetters = until?.letters;
  const prng = new Prng(1, 'respelling');
  for (const words of WORDS_OF_SEARCH) {
    const times: Record<'memory' | 'blocks', number[]> = { memory: [], blocks: [] };
    const cpu = { memory: 0, blocks: 0 };
    let [same, found] = [0, 0];
    for (let turn = 0; turn < SEARCHES; turn++) {
      const asked = Array.from({ length: words }, () =>
        withEdits(prng, madeUpName(prng.between(0, count - 1)), prng.between(0, 2)),
      );
      const answers: string[] = [];
      const timed = async (way: 'memory' | 'blocks', look: () => Promise<readonly string[]>): Promise<void> => {
        const [began, used] = [performance.now(), process.cpuUsage()];
        const near = await look();
        times[way].push(performance.now() - began);
        const { user, system } = process.cpuUsage(used);
        cpu[way] += (user + system) / 1000 / SEARCHES;
        found += near.length / 2;
        answers.push([...near].sort().join());
      };
      await timed('memory', async () => {
        const all: string[] = [];
        for (const word of asked) {
          const points = codePointsOf(word);
          const near = await stepwise(names.near(new Alignment(points, allowedEdits(points.length))), new SearchTurn());
          all.push(...near.map(({ number, edits }) => `${word} ${names.word(number)} ${edits}`));
        }
        return all;
      });
      await timed('blocks', async () => {
        const stored = await storedWordsNear(
          database,
          asked.map((word) => ({ word, numbers: undefined, nameLetters })),
          new SearchTurn(),
        );
        return [...stored].flatMap(([searched, near]) => near.map(({ word, edits }) => `${searched} ${word} ${edits}`));
      });
      if (answers[0] === answers[1]) same += 1;
    }
    console.log({ words, same: `${same} of ${SEARCHES}`, found, cpu });
    for (const [way, ms] of Object.entries(times)) console.log(way, spreadOf(ms));
  }
});

await program.parseAsync();
