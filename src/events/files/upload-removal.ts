import { Injectable, Logger } from '@nestjs/common';

import { Jobs } from '../../platform/jobs/jobs.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { FileStore } from './store/file-store.js';
import { Uploads } from './uploads.js';

const EVERY_MS = 600_000;

/**
 * Marks as unnameable, deletes the file, then the row: after a crash the row remains for a later run, and no nameable
 * row lacks its file.
 */
@Injectable()
export class UploadRemoval {
  private readonly log = new Logger(UploadRemoval.name);

  constructor(
    private readonly uploads: Uploads,
    private readonly store: FileStore,
    jobs: Jobs,
  ) {
    jobs.add({
      ...{ name: UploadRemoval.name, everyMs: EVERY_MS },
      failure: 'uploads that no record names could not be removed; in ten minutes it is tried again',
      work: async (signal) => {
        const removed = await this.removeUnnamed(signal);
        if (removed > 0) this.log.log(`uploads that no record names were removed: ${removed}`);
      },
    });
  }

  /**
   * Never removes a settled upload, whose commit its sender may have missed or a retry relied on. If the store's
   * outcome is unclear, the row stays for another removal.
   */
  async remove(id: Uuid, { isUnclear = false } = {}): Promise<void> {
    if (!(await this.uploads.giveUp(id))) return;
    await this.store.remove(id);
    if (!isUnclear) await this.uploads.forget(id);
  }

  /** Returns the number removed. Skips failing ones, and throws the first failure at the end. */
  async removeUnnamed(signal?: AbortSignal): Promise<number> {
    const failures: unknown[] = [];
    let removed = 0;
    for (;;) {
      const ids = await this.uploads.giveUpUnnamed();
      const before = removed;
      for (const id of ids) {
        if (signal?.aborted === true) return removed;
        await this.finish(id).then(
          () => (removed += 1),
          (failure: unknown) => failures.push(failure),
        );
      }
      // If none could be removed, the store is down.
      if (removed > before) continue;
      if (failures.length > 0) throw failures[0];
      return removed;
    }
  }

  private async finish(id: Uuid): Promise<void> {
    await this.store.remove(id);
    await this.uploads.forget(id);
  }
}
