import { Injectable } from '@nestjs/common';

import type { Uuid } from '../../kernel/domain/uuid.js';
import { FileStore } from './store/file-store.js';
import { Uploads } from './uploads.js';

/**
 * Removes uploads: first it is recorded that nobody may name them any more, then the file goes, then its row. A crash
 * in between leaves a row by which the rest is removed later, and never a row without its file that a record could
 * name.
 */
@Injectable()
export class UploadRemoval {
  constructor(
    private readonly uploads: Uploads,
    private readonly store: FileStore,
  ) {}

  /**
   * Removes one that is not to be kept after all; not one that is known: whoever made it so may not have heard that it
   * was committed, and whoever has sent it again meanwhile was told that it is there. Where the store may still do what
   * it was told before, its row stays: its file is removed once more with those that broke off.
   */
  async remove(id: Uuid, { isUnclear = false } = {}): Promise<void> {
    if (!(await this.uploads.giveUp(id))) return;
    await this.store.remove(id);
    if (!isUnclear) await this.uploads.forget(id);
  }

  /**
   * Removes those that no record has named; resolves with their number. One that cannot be removed keeps no other: the
   * first failure is thrown at the end.
   */
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
      // If none could be removed, the store is away.
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
