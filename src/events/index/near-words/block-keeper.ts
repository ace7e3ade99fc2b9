import { Injectable } from '@nestjs/common';
import type { Connections, Transaction } from '../../../platform/database/pools/connections.js';
import { ImportDatabase } from '../../../platform/database/pools/pools.js';
import { Jobs } from '../../../platform/jobs/jobs.js';
import { sql } from '../../../kernel/sql/sql.js';
import { NUMBER_OR_EMAIL } from '../terms/is-number-or-email.js';
import { DictionaryFollower } from './dictionary-follower.js';
import { type Batch, moveIntoBlocks, moveNamesIntoBlocks } from './write-blocks.js';

const MOVE_EVERY_MS = 5_000;

/** Fewer words stay in memory. Larger batches rewrite fewer blocks. */
const BATCH: Batch = { words: 200_000, lists: 800 };

const EVERYTHING: Batch = { words: 1, lists: 1 };

/** Memory of every process, for names and for others. */
const MOST_BYTES = 150_000_000;

/** Takes about as much, at 242 bytes per name. */
const MOST_NAMES = 600_000;

/**
 * Moves numbers and addresses, and too many names, into the blocks that searches look up, to bound memory. One process
 * at a time; after an interruption the rest is read as before.
 */
@Injectable()
export class BlockKeeper {
  constructor(
    /** Separate: a move takes seconds, or minutes after an import. */
    database: ImportDatabase,
    dictionary: DictionaryFollower,
    jobs: Jobs,
  ) {
    jobs.add({
      ...{ name: BlockKeeper.name, everyMs: MOVE_EVERY_MS, firstMs: MOVE_EVERY_MS },
      failure: 'words could not be moved into blocks; they stay in memory until then',
      work: (signal) => moveWords(database, { signal, ...movingAt(dictionary.size) }),
    });
  }
}

/** A few long words can exceed memory. */
export function movingAt({ bytes, bytesOfNames }: Pick<DictionaryFollower['size'], 'bytes' | 'bytesOfNames'>): Moving {
  const beginNames = bytesOfNames > MOST_BYTES;
  return { beginNames, batch: beginNames || bytes - bytesOfNames > MOST_BYTES ? EVERYTHING : BATCH };
}

/** From the database, for a command that holds none in memory. */
export async function areManyNames(database: Pick<Connections, 'query'>): Promise<boolean> {
  const [row] = await database.query<{ many: boolean }>(sql`
    select count(*) > ${MOST_NAMES}::int as many from (
      select distinct word from fuzzy_word where word !~ ${NUMBER_OR_EMAIL.source}::text
       limit ${MOST_NAMES + 1}::int) as names`);
  return row?.many === true;
}

export interface Moving {
  /** Aborts the move at once. */
  readonly signal?: AbortSignal;
  readonly batch?: Batch;
  /** Begins the move of names; a move once begun continues regardless. */
  readonly beginNames?: boolean;
}

/** Until no batch is left, or another process does so. */
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
