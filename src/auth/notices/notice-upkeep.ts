import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { Upkeep } from '../../platform/jobs/upkeep.js';
import { NoticeMetrics } from './notice-metrics.js';
import { NoticeNotes } from './notice-notes.js';

const EVERY_MS = 10_000;

/** Erases notices that have expired unsent (U-9), and removes what was settled long ago. */
@Injectable()
export class NoticeUpkeep extends Upkeep {
  constructor(
    private readonly notes: NoticeNotes,
    private readonly metrics: NoticeMetrics,
    @Inject(CONFIG) private readonly config: Pick<Config, 'WEBHOOK_RETENTION_DAYS'>,
  ) {
    super(EVERY_MS, 'expired notices could not be erased');
  }

  async run(signal?: AbortSignal): Promise<void> {
    const expired = await this.notes.expire(signal);
    this.metrics.observeUnsent('expired', expired);
    if (expired > 0) this.log.warn(`notices to users that expired before they could be sent: ${expired}`);
    await this.notes.remove(this.config.WEBHOOK_RETENTION_DAYS, signal);
  }
}
