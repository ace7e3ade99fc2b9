import type { ChangeFeed, Channel } from './change-feed.js';
import { Refresher } from '../../jobs/periodic.js';

/**
 * A cache of database contents. `load` rereads them after announcements and reconnections, and on each use while
 * changes are not heard (Q-4, G-3).
 */
export abstract class Followed {
  private readonly refresher = new Refresher(() =>
    this.load().finally(() => {
      this.feed.noteReading();
    }),
  );

  constructor(
    protected readonly feed: ChangeFeed,
    channel: Channel,
  ) {
    feed.on(channel, () => this.refresh());
  }

  protected abstract load(): Promise<void>;

  /** At once while changes are followed, otherwise after a shared reload. Throws if the database is unavailable. */
  async current(): Promise<void> {
    if (!this.feed.isFollowing) await this.refresh();
  }

  /** Includes everything committed before the call. */
  refresh(): Promise<void> {
    return this.refresher.refresh();
  }
}
