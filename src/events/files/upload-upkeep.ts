import { Injectable } from '@nestjs/common';

import { Upkeep } from '../../platform/jobs/upkeep.js';
import { FileStore } from './store/file-store.js';
import { UploadRemoval } from './upload-removal.js';

const EVERY_MS = 600_000;

/** Removes unnamed uploads every ten minutes (F-2); logs an unusable store at start. */
@Injectable()
export class UploadUpkeep extends Upkeep {
  constructor(
    private readonly removal: UploadRemoval,
    private readonly store: FileStore,
  ) {
    super(EVERY_MS, 'uploads that no record names could not be removed; in ten minutes it is tried again');
  }

  override onApplicationBootstrap(): void {
    this.store.check().catch((error: unknown) => {
      this.log.warn('the file store cannot be used: attachments are refused with 503 until it can', error);
    });
    super.onApplicationBootstrap();
  }

  async run(signal?: AbortSignal): Promise<void> {
    const removed = await this.removal.removeUnnamed(signal);
    if (removed > 0) this.log.log(`uploads that no record names were removed: ${removed}`);
  }
}
