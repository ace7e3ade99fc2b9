import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';

import { Periodic } from '../database/periodic.js';
import { FileStore } from './store/file-store.js';
import { UploadRemoval } from './upload-removal.js';

const EVERY_MS = 600_000;

/** Removes uploads that no record names (F-2), every ten minutes; says at the start if the store cannot be used. */
@Injectable()
export class UploadUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger(UploadUpkeep.name);
  private readonly loop = new Periodic({
    everyMs: EVERY_MS,
    work: async (signal) => {
      const removed = await this.removal.removeUnnamed(signal);
      if (removed > 0) this.log.log(`uploads that no record names were removed: ${removed}`);
    },
    onError: (error) => {
      this.log.warn('uploads that no record names could not be removed; in ten minutes it is tried again', error);
    },
  });

  constructor(
    private readonly removal: UploadRemoval,
    private readonly store: FileStore,
  ) {}

  onApplicationBootstrap(): void {
    this.store.check().catch((error: unknown) => {
      this.log.warn('the file store cannot be used: attachments are refused with 503 until it can', error);
    });
    this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
  }
}
