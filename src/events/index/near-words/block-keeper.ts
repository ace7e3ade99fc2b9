import { Injectable } from '@nestjs/common';
import type { Connections, Transaction } from '../../../platform/database/pools/connections.js';
import { ImportDatabase } from '../../../platform/database/pools/import-database.js';
import { Upkeep } from '../../../platform/jobs/upkeep.js';
import { sql } from '../../../kernel/sql/sql.js';
import { NUMBER_OR_EMAIL } from '../terms/is-number-or-email.js';
import { DictionaryFollower } from './dictionary-follower.js';
import { type Batch, moveIntoBlocks, moveNamesIntoBlocks } from './write-blocks.js';

const MOVE_EVERY_MS = 5_000;

/**
 * Fewer stay in the memory of every process. The more are moved together, the more get into the same block: each block
 * is written anew.
 */
const BATCH: Batch = { words: 200_000, lists: 800 };

/** Whatever there is. */
const EVERYTHING: Batch = { words: 1, lists: 1 };

/** So much every process has room for, of names and of others. */
const MOST_BYTES = 150_000_000;

/** So many different names take about as much, at 242 bytes each. */
const MOST_NAMES = 600_000;

/**
 * Moves numbers and addresses into the blocks where searches look them up, so that no process keeps them all in memory;
 * names too, once there are too many for that. Of all processes one at a time does so. If interrupted at any moment,
 * what was not moved is read as before.
 */
@Injectable()
export class BlockKeeper extends Upkeep {
  constructor(
    /** It takes seconds, or minutes after an import: a search must not wait for the connection. */
    private readonly database: ImportDatabase,
    private readonly dictionary: DictionaryFollower,
  ) {
    super(MOVE_EVERY_MS, 'words could not be moved into blocks; they stay in memory until then', MOVE_EVERY_MS);
  }

  run(signal: AbortSignal): Promise<void> {
    return moveWords(this.database, { signal, ...movingAt(this.dictionary.size) });
  }
}

/** What is to be moved when a process has so much in memory: of long words, far fewer than a batch are too much. */
export function movingAt({ bytes, bytesOfNames }: Pick<DictionaryFollower['size'], 'bytes' | 'bytesOfNames'>): Moving {
  const beginNames = bytesOfNames > MOST_BYTES;
  return { beginNames, batch: beginNames || bytes - bytesOfNames > MOST_BYTES ? EVERYTHING : BATCH };
}

/** Whether there are too many names for the memory of a process: for a command, which has none of them there. */
export async function areManyNames(database: Pick<Connections, 'query'>): Promise<boolean> {
  const [row] = await database.query<{ many: boolean }>(sql`
    select count(*) > ${MOST_NAMES}::int as many from (
      select distinct word from fuzzy_word where word !~ ${NUMBER_OR_EMAIL.source}::text
       limit ${MOST_NAMES + 1}::int) as names`);
  return row?.many === true;
}

/** How to move words. */
export interface Moving {
  /** Ends it at once when it aborts. */
  readonly signal?: AbortSignal;
  readonly batch?: Batch;
  /** Whether names are to be moved from now on. Where that was begun before, they are moved in any case. */
  readonly beginNames?: boolean;
}

/** Moves words into blocks until no batch is left, or another process does so. */
export async function moveWords(
  database: Connections,
  { signal, batch = BATCH, beginNames = false }: Moving = {},
): Promise<void> {
  const untilDone = async (move: (transaction: Transaction) => Promise<boolean>): Promise<void> => {
    while (signal?.aborted !== true && (await database.transaction(move, undefined, signal)));
  };
  try {
    await untilDone((transaction) => moveIntoBlocks(transaction, batch));
    await untilDone((transaction) => moveNamesIntoBlocks(transaction, beginNames));
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}
