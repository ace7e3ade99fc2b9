import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Inject, Injectable, Logger } from '@nestjs/common';

import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.js';
import { Periodic } from '../database/periodic.js';
import { NoticeMetrics } from './notice-metrics.js';
import { NoticeNotes } from './notice-notes.js';

const EVERY_MS = 10_000;

/** Erases notices that have expired unsent (U-9), and removes what was settled long ago. */
@Injectable()
export class NoticeHousekeeping implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger(NoticeHousekeeping.name);
  private readonly loop = new Periodic({
    everyMs: EVERY_MS,
    work: (signal) => this.run(signal),
    onError: (error) => {
      this.log.warn('expired notices could not be erased', error);
    },
  });

  constructor(
    private readonly notes: NoticeNotes,
    private readonly metrics: NoticeMetrics,
    @Inject(CONFIG) private readonly config: Pick<Config, 'WEBHOOK_RETENTION_DAYS'>,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Does all of this once. */
  async run(signal?: AbortSignal): Promise<void> {
    const expired = await this.notes.expire(signal);
    this.metrics.observeUnsent('expired', expired);
    if (expired > 0) this.log.warn(`notices to users that expired before they could be sent: ${expired}`);
    await this.notes.remove(this.config.WEBHOOK_RETENTION_DAYS, signal);
  }
}
