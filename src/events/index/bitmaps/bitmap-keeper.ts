import { Injectable, Logger } from '@nestjs/common';

import { isOtherDerivedVersion } from '../../../platform/database/connection/derived-version.js';
import { Database } from '../../../platform/database/pools/database.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { Jobs } from '../../../platform/jobs/jobs.js';
import { beginBitmaps, buildBitmap, buildPart } from './build-bitmaps.js';
import { chooseBitmaps, stateOfChoice } from './choose-bitmaps.js';
import { UPDATE_SLICES } from './update-period.js';
import { foldDirty, forgetBitmap, mayWriteBitmaps } from './write-bitmaps.js';

/** Approximate lifetime of marks, which searches check singly. */
const FOLD_EVERY_MS = 1_000;
const MOST_AT_A_TIME = 5_000;

/** The set of frequent terms changes slowly. */
const CHOOSE_EVERY_MS = 60_000;

/**
 * More bitmaps are built together, as after a load or a reindex. Later ones are few and rare. Update slices cover half
 * of all records, and are always built together.
 */
const MANY = 100;

/**
 * Applies writers' marks to bitmaps, and creates useful ones, one process at a time. After an interruption bitmaps and
 * marks still agree, and any process continues.
 */
@Injectable()
export class BitmapKeeper {
  private readonly log = new Logger(BitmapKeeper.name);
  private chosenAtMs = -Infinity;
  /** The `stateOfChoice` without pending work. */
  private settled: string | undefined;

  constructor(
    private readonly database: Database,
    jobs: Jobs,
  ) {
    jobs.add({
      ...{ name: BitmapKeeper.name, everyMs: FOLD_EVERY_MS, firstMs: FOLD_EVERY_MS },
      failure: 'bitmaps of frequent terms could not be kept; searches count without them',
      // Processes of the other version maintain them.
      isExpected: isOtherDerivedVersion,
      work: (signal) => this.run(signal),
    });
    database.primary.onNewServer(() => {
      this.settled = undefined;
    });
  }

  /** Applies all marks; resolves with their number. */
  async fold(signal?: AbortSignal): Promise<number> {
    let folded = 0;
    for (let some = MOST_AT_A_TIME; some === MOST_AT_A_TIME && signal?.aborted !== true; folded += some) {
      some = (await this.write((transaction) => foldDirty(transaction, MOST_AT_A_TIME))) ?? 0;
    }
    return folded;
  }

  /** Creates or begins bitmaps of newly frequent terms, and removes rare ones. False if nothing has changed. */
  async choose(signal?: AbortSignal): Promise<boolean> {
    // First: later changes count the next time.
    const state = await stateOfChoice(this.database);
    if (state === this.settled) return false;
    const { wanted, unwanted } = await chooseBitmaps(this.database);
    if (wanted.length === 0 && unwanted.length === 0) this.settled = state;
    const change = async (work: (transaction: Queryable) => Promise<void>): Promise<void> => {
      if (signal?.aborted !== true) await this.write(work, signal);
    };
    const isBuiltTogether = (term: bigint): boolean => wanted.length > MANY || UPDATE_SLICES.includes(term);
    const together = wanted.filter(isBuiltTogether);
    for (const term of unwanted) await change((transaction) => forgetBitmap(transaction, term));
    if (together.length > 0) await change((transaction) => beginBitmaps(transaction, together));
    for (const term of wanted) {
      if (!isBuiltTogether(term)) await change((transaction) => buildBitmap(transaction, term));
    }
    return true;
  }

  /** Marks are applied between parts, so that few are pending. */
  async build(signal?: AbortSignal): Promise<void> {
    while (signal?.aborted !== true) {
      const part = await this.write(buildPart, signal);
      if (part === undefined) return;
      if (part.done === part.of) this.log.log(`bitmaps of frequent terms are made: ${part.bitmaps}`);
      await this.fold(signal);
    }
  }

  /** Undefined while another process writes bitmaps. */
  private write<T>(work: (transaction: Queryable) => Promise<T>, signal?: AbortSignal): Promise<T | undefined> {
    return this.database.patient.transaction(
      async (transaction) => ((await mayWriteBitmaps(transaction)) ? work(transaction) : undefined),
      undefined,
      signal,
    );
  }

  private async run(signal: AbortSignal): Promise<void> {
    await this.fold(signal);
    const unlessEnded = (error: unknown): void => {
      // An aborted transaction keeps the earlier parts.
      if (!signal.aborted) throw error;
    };
    if (performance.now() - this.chosenAtMs >= CHOOSE_EVERY_MS) {
      await this.choose(signal).catch(unlessEnded);
      this.chosenAtMs = performance.now();
    }
    await this.build(signal).catch(unlessEnded);
  }
}
