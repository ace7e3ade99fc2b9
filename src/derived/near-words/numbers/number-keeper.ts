import type { OnApplicationShutdown } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';

import { Periodic } from '../../../database/periodic.js';
import type { Connections } from '../../../database/pools/connections.js';
import { ImportDatabase } from '../../../database/pools/import-database.js';
import type { Batch } from './write-number-blocks.js';
import { moveIntoBlocks } from './write-number-blocks.js';

const MOVE_EVERY_MS = 5_000;

/**
 * Fewer stay in the memory of every process: 400,000 words are five megabytes. The more are moved together, the more
 * get into the same block: each block is written anew.
 */
const BATCH: Batch = { words: 200_000, lists: 800 };

/**
 * Moves numbers and addresses into the blocks where searches look them up, so that no process keeps them all in memory.
 * Of all processes one at a time does so. If interrupted at any moment, what was not moved is read as before.
 */
@Injectable()
export class NumberKeeper implements OnApplicationShutdown {
  private readonly log = new Logger(NumberKeeper.name);
  private readonly loop = new Periodic({
    everyMs: MOVE_EVERY_MS,
    work: (signal) => moveNumbers(this.database, signal),
    onError: (error) => {
      this.log.warn('numbers could not be moved into blocks; they stay in memory until then', error);
    },
  });

  /** It takes seconds, or minutes after an import: a search must not wait for the connection. */
  constructor(private readonly database: ImportDatabase) {}

  start(): void {
    this.loop.start(MOVE_EVERY_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }
}

/**
 * Moves numbers into blocks until no batch is left, or another process does so. A `signal` that aborts ends it at once.
 */
export async function moveNumbers(database: Connections, signal?: AbortSignal, batch = BATCH): Promise<void> {
  const move = (): Promise<boolean> =>
    database.transaction((transaction) => moveIntoBlocks(transaction, batch), undefined, signal);
  try {
    while (signal?.aborted !== true && (await move()));
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}
