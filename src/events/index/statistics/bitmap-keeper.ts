import { Injectable, Logger } from '@nestjs/common';
import { isOtherDerivedVersion } from '../../../platform/database/connection/derived-version.js';
import { Database } from '../../../platform/database/pools/database.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { Jobs } from '../../../platform/jobs/jobs.js';
import { HierarchyCache } from '../../../auth/locations/hierarchy-cache.js';
import { readStatistics } from './document-frequencies.js';
import { KnownTerms } from '../terms/terms.js';
import { buildBitmap, chooseBitmaps, foldDirty, forgetBitmap, mayWriteBitmaps, readTracked } from './write-bitmaps.js';

/** Approximate lifetime of marks, which searches check singly. */
const FOLD_EVERY_MS = 1_000;
const MOST_AT_A_TIME = 5_000;

/** The set of frequent terms changes slowly. */
const CHOOSE_EVERY_MS = 60_000;

/**
 * Applies writers' marks to bitmaps, and creates useful ones, one process at a time. After an interruption bitmaps and
 * marks still agree, and any process continues.
 */
@Injectable()
export class BitmapKeeper {
  private readonly log = new Logger(BitmapKeeper.name);
  private chosenAtMs = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly hierarchy: HierarchyCache,
    private readonly terms: KnownTerms,
    jobs: Jobs,
  ) {
    jobs.add({
      ...{ name: BitmapKeeper.name, everyMs: FOLD_EVERY_MS, firstMs: FOLD_EVERY_MS },
      failure: 'bitmaps of frequent terms could not be kept; searches count without them',
      // Processes of the other version maintain them.
      isExpected: isOtherDerivedVersion,
      work: (signal) => this.run(signal),
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

  /**
   * Creates bitmaps of newly frequent terms and areas, and removes rare ones and those of areas as they were. Marks are
   * applied between, so that few are pending.
   */
  async choose(signal?: AbortSignal): Promise<void> {
    await this.hierarchy.current();
    const { wanted, unwanted } = chooseBitmaps(
      await readStatistics(this.database),
      await readTracked(this.database),
      await this.terms.current(),
      this.hierarchy.places.areas(),
    );
    for (const term of unwanted) await this.write((transaction) => forgetBitmap(transaction, term), signal);
    for (const one of wanted) {
      await this.write((transaction) => buildBitmap(transaction, one), signal);
      await this.fold(signal);
    }
    if (wanted.length > 0) this.log.log(`bitmaps of frequent terms are made: ${wanted.length}`);
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
    if (performance.now() - this.chosenAtMs < CHOOSE_EVERY_MS) return;
    await this.choose(signal).catch((error: unknown) => {
      // An aborted transaction keeps the earlier bitmaps.
      if (!signal.aborted) throw error;
    });
    this.chosenAtMs = performance.now();
  }
}
