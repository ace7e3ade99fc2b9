import type { ChangeFeed, Channel } from './change-feed.js';
import { Refresher } from '../../jobs/refresher.js';

/**
 * Database contents cached in memory, whose changes processes announce to each other. `load` reads them again: after
 * each announcement, when the feed reconnects, and on each use while changes are not heard, so that a change elsewhere
 * is never missed (Q-4, G-3).
 */
export class Followed {
  private readonly refresher: Refresher;

  constructor(
    private readonly feed: ChangeFeed,
    channel: Channel,
    load: () => Promise<void>,
  ) {
    this.refresher = new Refresher(() =>
      load().finally(() => {
        feed.noteReading();
      }),
    );
    feed.on(channel, () => this.refresh());
  }

  /**
   * Resolves when the cached contents may be used: at once while changes are followed, otherwise after reading them
   * again. Concurrent callers share one reading. Throws if the database cannot be asked.
   */
  async current(): Promise<void> {
    if (!this.feed.isFollowing) await this.refresh();
  }

  /** Reads it again; the result includes everything committed before the call. */
  refresh(): Promise<void> {
    return this.refresher.refresh();
  }
}
