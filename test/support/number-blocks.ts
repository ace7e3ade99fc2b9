import type { Database } from '../../src/platform/database/pools/database.js';
import type { WordInBlocks } from '../../src/events/index/near-words/stored-words.js';
import { moveIntoBlocks, moveNamesIntoBlocks } from '../../src/events/index/near-words/write-blocks.js';
import { type Reading, READING, readingOf } from '../../src/events/index/near-words/word-rows.js';
import { WordsInMemory } from '../../src/events/index/near-words/words-in-memory.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { eventually } from './eventually.js';

/** Moves all numbers and addresses that were written into blocks, however few there are. */
export async function moveNumbersIntoBlocks(database: Database): Promise<void> {
  await begunHaveEnded(database);
  while (await database.transaction((transaction) => moveIntoBlocks(transaction, { words: 1, lists: 1 })));
}

/**
 * Waits for every transaction that has begun, on the whole server, since others are known by their ids alone: what was
 * written may not be moved before, and a process that has read it keeps it until all are behind what was moved.
 */
async function begunHaveEnded(database: Database): Promise<void> {
  const [begun] = await database.query<{ next: string }>(sql`
    select pg_snapshot_xmax(pg_current_snapshot())::text as next`);
  await eventually('every transaction that had begun has ended', async () => {
    const [row] = await database.query<{ ended: boolean }>(sql`
      select pg_snapshot_xmin(pg_current_snapshot()) >= ${begun?.next}::xid8 as ended`);
    return row?.ended === true;
  });
}

/** What is asked of blocks for these words, by what a process reads of them. */
export async function askedOfBlocks(database: Database, words: readonly string[]): Promise<readonly WordInBlocks[]> {
  const memory = new WordsInMemory();
  memory.keepRecent(readingOf(await database.query<Reading>(READING)));
  return memory.mayBeInBlocks(words);
}

/** Moves all names too, as where there are too many for the memory of a process. */
export async function moveNamesToo(database: Database): Promise<void> {
  await moveNumbersIntoBlocks(database);
  while (await database.transaction((transaction) => moveNamesIntoBlocks(transaction, true, 300)));
}
