import { Injectable } from '@nestjs/common';

import { isOtherDerivedVersion } from '../../../platform/database/connection/derived-version.js';
import { Database } from '../../../platform/database/pools/database.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { Upkeep } from '../../../platform/jobs/upkeep.js';
import { beginBitmaps, buildBitmap, buildPart } from './build-bitmaps.js';
import { chooseBitmaps, stateOfChoice } from './choose-bitmaps.js';
import { UPDATE_SLICES } from './update-period.js';
import { foldDirty, forgetBitmap, mayWriteBitmaps } from './write-bitmaps.js';

/** About how long a record stays marked: a search checks each marked record. */
const FOLD_EVERY_MS = 1_000;
const MOST_AT_A_TIME = 5_000;

/** How often to determine which terms are frequent enough: they change as slowly as a country does. */
const CHOOSE_EVERY_MS = 60_000;

/**
 * More bitmaps than this are built together: as many are wanted after a first load and after a reindex. Those few that
 * become frequent later are of terms that few records have, and take less by themselves. The slices of updates,
 * which half of all records have, are always built together.
 */
const MANY = 100;

/**
 * Maintains the bitmaps of frequent terms: applies the marks of writers, and creates the bitmaps that are worth it. Of
 * all processes one at a time does either. If interrupted at any moment, bitmaps and marks still agree, and what was
 * begun is continued by any of them.
 */
@Injectable()
export class BitmapKeeper extends Upkeep {
  private chosenAtMs = -Infinity;
  /** The `stateOfChoice` in which there was nothing to create or to remove. */
  private settled: string | undefined;

  constructor(private readonly database: Database) {
    super(FOLD_EVERY_MS, 'bitmaps of frequent terms could not be kept; searches count without them', FOLD_EVERY_MS);
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

  /**
   * Creates the bitmaps of terms that have become frequent, or begins them where they are many, and removes those of
   * terms that no longer are. Resolves with whether it looked for them: not where nothing has changed since there was
   * nothing to do.
   */
  async choose(signal?: AbortSignal): Promise<boolean> {
    // Read before: what changes meanwhile is looked at the next time.
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

  /** Makes what is begun, by whichever process; marks are applied between its parts, so that few wait at any moment. */
  async build(signal?: AbortSignal): Promise<void> {
    while (signal?.aborted !== true) {
      const part = await this.write(buildPart, signal);
      if (part === undefined) return;
      if (part.done === part.of) this.log.log(`bitmaps of frequent terms are made: ${part.bitmaps}`);
      await this.fold(signal);
    }
  }

  /** Resolves with nothing while another process writes bitmaps. */
  private write<T>(work: (transaction: Queryable) => Promise<T>, signal?: AbortSignal): Promise<T | undefined> {
    return this.database.patient.transaction(
      async (transaction) => ((await mayWriteBitmaps(transaction)) ? work(transaction) : undefined),
      undefined,
      signal,
    );
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.fold(signal);
    const unlessEnded = (error: unknown): void => {
      // It was to end, and has left what was done before.
      if (!signal.aborted) throw error;
    };
    if (performance.now() - this.chosenAtMs >= CHOOSE_EVERY_MS) {
      await this.choose(signal).catch(unlessEnded);
      this.chosenAtMs = performance.now();
    }
    await this.build(signal).catch(unlessEnded);
  }

  protected override tell(error: unknown): void {
    // Processes of the other version maintain them.
    if (!isOtherDerivedVersion(error)) super.tell(error);
  }
}
