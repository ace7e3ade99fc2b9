import { setTimeout as sleep } from 'node:timers/promises';

import type { Database } from '../../src/database/pools/database.js';
import { IN_BLOCKS, moveIntoBlocks, moveNamesIntoBlocks } from '../../src/derived/near-words/blocks/write-blocks.js';
import { sql } from '../../src/sql/sql.js';

/**
 * Moves all numbers and addresses into blocks, however few there are, once the transactions that wrote them have ended.
 */
export async function moveNumbersIntoBlocks(database: Database): Promise<void> {
  const moveSome = (): Promise<boolean> =>
    database.transaction((transaction) => moveIntoBlocks(transaction, { words: 1, lists: 1 }));
  for (;;) {
    while (await moveSome());
    const [row] = await database.query<{ left: boolean }>(sql`
      select exists (select from fuzzy_word where written_by >= written_before)
          or exists (select from fuzzy_word_list where written_by >= written_before) as left
        from (${IN_BLOCKS}) as until`);
    if (row?.left !== true) return;
    // Others on the server, of whichever database, hold it up.
    await sleep(20);
  }
}

/** Moves all names too, as where there are too many for the memory of a process. */
export async function moveNamesToo(database: Database): Promise<void> {
  await moveNumbersIntoBlocks(database);
  while (await database.transaction((transaction) => moveNamesIntoBlocks(transaction, true, 300)));
}
